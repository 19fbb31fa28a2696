import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Call, CliDriver } from "./cli-drivers.ts";

/** The content of each file that a turn may read, by which it is recognized in the output. */
export const WORDS = {
  request: "canary-request-7c1f",
  range: "canary-range-52d0",
  elsewhere: "canary-elsewhere-93ab",
  outlasted: "canary-outlasted-1e44",
} as const;

/** What a turn tries to read or write around it, as in the table of `docs/ENGINES.md`. */
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

/** One call by which a turn tries one of these. */
export interface SightCall {
  readonly sight: Sight;
  readonly call: Call;
  /** Whether the call succeeded: `printed` is what the tool returned. */
  readonly succeeded: (printed: string) => boolean;
}

/** The places and commits of a turn. */
export interface Surroundings {
  readonly clone: string;
  /** The files that its prompt names. */
  readonly request: string;
  readonly range: string;
  /** A file that is not named anywhere. */
  readonly elsewhere: string;
  /** The two ends of its range. */
  readonly ends: readonly [string, string];
}

/** What a turn tries, in this order: each sight by the CLI's own tool and by its shell. */
export function sightCalls(
  { shell, read, write }: CliDriver,
  { clone, request, range, elsewhere, ends }: Surroundings,
): readonly SightCall[] {
  const shows = (word: string) => (printed: string) => printed.includes(word);
  const makes = (path: string) => () => existsSync(path);
  const folder = request.replace(/\/[^/]*$/u, "");
  const [byTool, byShell] = ["by-tool.txt", "by-shell.txt"];
  return [
    { sight: "its request", call: read(request), succeeded: shows(WORDS.request) },
    { sight: "its request", call: shell(`cat '${request}'`), succeeded: shows(WORDS.request) },
    { sight: "its diff", call: read(range), succeeded: shows(WORDS.range) },
    { sight: "its diff", call: shell(`cat '${range}'`), succeeded: shows(WORDS.range) },
    {
      sight: "`git diff`",
      // The shell of gemini sets an external diff that does not exist.
      call: shell(`git diff --no-ext-diff ${ends.join(" ")}`),
      succeeded: shows(WORDS.range),
    },
    {
      sight: "output redirected to a file",
      call: shell(`node --version > "$TMPDIR/version" 2>&1 && echo was-redirected`),
      succeeded: shows("was-redirected"),
    },
    { sight: "a file elsewhere", call: read(elsewhere), succeeded: shows(WORDS.elsewhere) },
    {
      sight: "a file elsewhere",
      call: shell(`cat '${elsewhere}'`),
      succeeded: shows(WORDS.elsewhere),
    },
    {
      sight: "its folder written",
      call: write(join(folder, byTool), "x"),
      succeeded: makes(join(folder, byTool)),
    },
    {
      sight: "its folder written",
      call: shell(`echo x > '${join(folder, byShell)}'`),
      succeeded: makes(join(folder, byShell)),
    },
    {
      sight: "the clone edited",
      call: write(join(clone, byTool), "x"),
      succeeded: makes(join(clone, byTool)),
    },
    {
      sight: "the clone edited",
      call: shell(`echo x > '${byShell}'`),
      succeeded: makes(join(clone, byShell)),
    },
  ];
}

/** Which tools succeeded for each sight, and which were refused: a cell of the table for each. */
export function cellsOf(
  calls: readonly SightCall[],
  printed: readonly string[],
): readonly string[] {
  return SIGHTS.map((sight) => {
    const tried = calls.flatMap((call, at) => (call.sight === sight ? [{ call, at }] : []));
    const words = tried.map(({ call, at }) => {
      const name = `\`${call.call.name}\``;
      return call.succeeded(printed[at] ?? "") ? name : `not ${name}`;
    });
    return [...new Set(words)].join(", ");
  });
}
