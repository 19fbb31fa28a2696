import { failedFile, plainPath, type FailureReader, type TestIdentity } from "./test-identity.ts";

// The file may stand after the name of its project, and before a time.
const FAIL = /^ ?FAIL {1,2}(?:\|(?<project>[^|]+)\| )?(?<rest>\S.*)$/;
const FILE = /^\S.*?\.[cm]?[jt]sx?(?=$| )/;

/** vitest: `FAIL file > group > test`, and `FAIL file [ file ]` for one that does not load. */
export const readVitest: FailureReader = (lines) =>
  lines.flatMap((line): readonly TestIdentity[] => {
    const { project, rest = "" } = FAIL.exec(line)?.groups ?? {};
    const loaded = /^(\S.*) \[ .* \]$/.exec(rest)?.[1];
    const of = project === undefined ? [] : [project.trim()];
    if (loaded !== undefined) return [failedFile(loaded)];
    const [file = "", ...titles] = rest.split(" > ");
    if (titles.length === 0 || !FILE.test(file)) return [];
    return [{ file, path: [...of, ...titles.slice(0, -1)], name: titles.at(-1) ?? "" }];
  });

interface Jest {
  file: string | undefined;
  isRepeated: boolean;
  readonly failed: TestIdentity[];
}

/** jest: the file, and then each failing test of it, `● group › test`. At the end it may list all of them again. */
export const readJest: FailureReader = (lines) => {
  const seen: Jest = { file: undefined, isRepeated: false, failed: [] };
  lines.forEach((line) => {
    if (line.startsWith("Summary of all failing tests")) seen.isRepeated = true;
    if (/^(?:PASS |Test Suites: )/.test(line)) endOfFile(seen);
    if (line.startsWith("Test Suites: ")) seen.isRepeated = false;
    const file = seen.isRepeated ? undefined : fileIn(line);
    if (file !== undefined) {
      endOfFile(seen);
      seen.file = file;
    } else if (seen.file !== undefined && !seen.isRepeated) readTest(seen, seen.file, line);
  });
  endOfFile(seen);
  return seen.failed;
};

function fileIn(line: string): string | undefined {
  const { project, rest = "" } = FAIL.exec(line)?.groups ?? {};
  const words = rest.replace(/ \([\d.]+ m?s\b[^()]*\)$/, "");
  const isJest =
    project === undefined && !/ > | \[ /.test(words) && FILE.exec(words)?.[0] === words;
  // A project's name, in a colour of its own, stands before the file.
  return isJest ? plainPath(words.split(" ").at(-1) ?? words) : undefined;
}

function readTest({ failed }: Jest, file: string, line: string): void {
  const said = /^ {2}● (?!Console$|Validation |Deprecation | )(.+)$/.exec(line)?.[1];
  if (said === undefined) return;
  if (said === "Test suite failed to run") {
    failed.push(failedFile(file));
    return;
  }
  const titles = said.split(" › ");
  failed.push({ file, path: titles.slice(0, -1), name: titles.at(-1) ?? "" });
}

/** A file that failed without a test of its own, such as for its coverage, failed as a whole. */
function endOfFile(seen: Jest): void {
  const { file, failed } = seen;
  seen.file = undefined;
  if (file !== undefined && !failed.some((each) => each.file === file)) {
    failed.push(failedFile(file));
  }
}
