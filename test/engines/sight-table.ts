import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { SIGHTS } from "./sights.ts";
import type { Role } from "../../src/base/role.ts";

const DOCUMENT = join(import.meta.dirname, "../../docs/ENGINES.md");
const BEGIN = "<!-- made by test/engines/sight.test.ts -->";
const END = "<!-- the end of what is made -->";

/** The results of an engine's turns, by role: a cell for each sight. */
export type Seen = ReadonlyMap<Role, readonly string[]>;

/** The rows of one engine in the document, each as its cells. */
export function rowsInDocument(engine: string): readonly (readonly string[])[] {
  return tableIn(readFileSync(DOCUMENT, "utf8")).filter(([first]) => first === engine);
}

/** The rows of one engine from the results of its turns; roles with the same results share a row. */
export function rowsOf(engine: string, seen: Seen): readonly (readonly string[])[] {
  const rows = new Map<string, { readonly roles: Role[]; readonly cells: readonly string[] }>();
  for (const [role, cells] of seen) {
    const row = rows.get(cells.join("|")) ?? { roles: [], cells };
    row.roles.push(role);
    rows.set(cells.join("|"), row);
  }
  return [...rows.values()].map(({ roles, cells }) => [engine, roles.join(", "), ...cells]);
}

/** Replaces the rows of one engine in the document. */
export async function writeRows(
  engine: string,
  rows: readonly (readonly string[])[],
): Promise<void> {
  const document = readFileSync(DOCUMENT, "utf8");
  const others = tableIn(document).filter(([first]) => first !== engine);
  const all = [...others, ...rows].sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
  const head = ["engine", "role", ...SIGHTS];
  const lines = [head, head.map(() => "---"), ...all].map((cells) => `| ${cells.join(" | ")} |`);
  const [before = "", rest = ""] = document.split(BEGIN);
  const [, after = ""] = rest.split(END);
  const settings = await resolveConfig(DOCUMENT);
  const text = `${before}${BEGIN}\n\n${lines.join("\n")}\n\n${END}${after}`;
  writeFileSync(DOCUMENT, await format(text, { parser: "markdown", ...settings }));
}

/** The cells of the rows below the header. */
function tableIn(document: string): readonly (readonly string[])[] {
  const [, made = ""] = document.split(BEGIN);
  const lines = (made.split(END)[0] ?? "").split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
