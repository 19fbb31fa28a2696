import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Call, CliDriver } from "./cli-drivers.ts";

/** What is in a file that a turn may read, so that it is known where it comes back. */
export const WORDS = {
  request: "canary-request-7c1f",
  range: "canary-range-52d0",
  elsewhere: "canary-elsewhere-93ab",
  outlasted: "canary-outlasted-1e44",
} as const;

/** What a turn tries of what there is around it, as the table of `docs/ENGINES.md` has it. */
export const SIGHTS = [
  "its request",
  "its diff",
  "`git diff`",
  "output redirected to a file",
  "a file elsewhere",
  "its folder written",
  "the clone edited",
] as const;
type Sight = (typeof SIGHTS)[number];

/** One call, by which a turn tries one of these. */
export interface Look {
  readonly sight: Sight;
  readonly call: Call;
  /** Whether it came to that: `printed` is what the tool gave back. */
  readonly came: (printed: string) => boolean;
}

/** Where a turn stands. */
export interface Standpoint {
  readonly clone: string;
  /** What its prompt names. */
  readonly request: string;
  readonly range: string;
  /** A file that nobody named. */
  readonly elsewhere: string;
  /** The two ends of its range. */
  readonly ends: readonly [string, string];
}

/** What a turn tries, in this order: each sight by the CLI's own tool and by its shell. */
export function looksFrom(
  { shell, read, write }: CliDriver,
  { clone, request, range, elsewhere, ends }: Standpoint,
): readonly Look[] {
  const shows = (word: string) => (printed: string) => printed.includes(word);
  const makes = (path: string) => () => existsSync(path);
  const folder = request.replace(/\/[^/]*$/u, "");
  const [byTool, byShell] = ["by-tool.txt", "by-shell.txt"];
  return [
    { sight: "its request", call: read(request), came: shows(WORDS.request) },
    { sight: "its request", call: shell(`cat '${request}'`), came: shows(WORDS.request) },
    { sight: "its diff", call: read(range), came: shows(WORDS.range) },
    { sight: "its diff", call: shell(`cat '${range}'`), came: shows(WORDS.range) },
    {
      sight: "`git diff`",
      // The shell of gemini sets an external diff that does not exist.
      call: shell(`git diff --no-ext-diff ${ends.join(" ")}`),
      came: shows(WORDS.range),
    },
    {
      sight: "output redirected to a file",
      call: shell(`node --version > "$TMPDIR/version" 2>&1 && echo was-redirected`),
      came: shows("was-redirected"),
    },
    { sight: "a file elsewhere", call: read(elsewhere), came: shows(WORDS.elsewhere) },
    { sight: "a file elsewhere", call: shell(`cat '${elsewhere}'`), came: shows(WORDS.elsewhere) },
    {
      sight: "its folder written",
      call: write(join(folder, byTool), "x"),
      came: makes(join(folder, byTool)),
    },
    {
      sight: "its folder written",
      call: shell(`echo x > '${join(folder, byShell)}'`),
      came: makes(join(folder, byShell)),
    },
    {
      sight: "the clone edited",
      call: write(join(clone, byTool), "x"),
      came: makes(join(clone, byTool)),
    },
    {
      sight: "the clone edited",
      call: shell(`echo x > '${byShell}'`),
      came: makes(join(clone, byShell)),
    },
  ];
}

/** By which tools a turn came to each sight, and which were refused: a cell of the table for each. */
export function cellsOf(looks: readonly Look[], printed: readonly string[]): readonly string[] {
  return SIGHTS.map((sight) => {
    const tried = looks.flatMap((look, at) => (look.sight === sight ? [{ look, at }] : []));
    const words = tried.map(({ look, at }) => {
      const name = `\`${look.call.name}\``;
      return look.came(printed[at] ?? "") ? name : `not ${name}`;
    });
    return [...new Set(words)].join(", ");
  });
}
