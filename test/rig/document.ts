import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A document of the repository, by its path from the root. */
export function documentOf(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
}

/** Contents of the fenced blocks of a document whose info string is `info`, newline at the end included. */
export function blocksOf(document: string, info: string): readonly string[] {
  return allBlocks(document).flatMap((block) => (block.info === info ? [block.content] : []));
}

/** All fenced blocks, in order. */
export function allBlocks(
  document: string,
): readonly { readonly info: string; readonly content: string }[] {
  const blocks: { info: string; content: string }[] = [];
  let open: { info: string; content: string } | undefined;
  for (const line of document.split("\n")) {
    if (open === undefined) {
      if (line.startsWith("```")) open = { info: line.slice(3), content: "" };
    } else if (line === "```") {
      blocks.push(open);
      open = undefined;
    } else {
      open.content += `${line}\n`;
    }
  }
  return blocks;
}

/** The lines of all blocks with that info string. */
export function linesOf(document: string, info: string): readonly string[] {
  return blocksOf(document, info).flatMap((content) => content.split("\n").slice(0, -1));
}

/** The text below a heading, up to the next heading of its level or above. */
export function sectionOf(document: string, heading: string): string {
  const [marks = ""] = heading.split(" ", 1);
  const start = document.indexOf(`\n${heading}\n`);
  if (start < 0) return "";
  const rest = document.slice(start + heading.length + 2);
  const end = new RegExp(`\n#{1,${String(marks.length)}} `).exec(rest);
  return end === null ? rest : rest.slice(0, end.index);
}

/** The rows of all tables of a text, each as its cells, without heads and rules. */
export function rowsOf(text: string): readonly (readonly string[])[] {
  const rows = text.split("\n").map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return rows.filter((cells, index) => {
    const isRule = (others: readonly string[] | undefined) =>
      others !== undefined && others.length > 0 && others.every((cell) => /^:?-+:?$/.test(cell));
    return cells.length > 0 && !isRule(cells) && !isRule(rows[index + 1]);
  });
}
