import { withoutTime } from "./appended-time.ts";
import { failedFile, plainPath, type FailureReader, type TestIdentity } from "./test-identity.ts";

const RESULT = /^( *)(not )?ok \d+(?: (-)(?= |$))? ?(.*)$/;
const EXPECTED = /(?<!\\)# (?:TODO|SKIP)\b/i;
const SUBTEST = /^( *)# Subtest: (.*)$/;
const TITLE = /^# (.+)$/;
const PERL_FILE = /^(\S+\.t) \.+ ?$/;
const BLOCK_LINES_MAX = 200;

/** The name of a result without one. */
export const UNNAMED = "(no name)";

interface Open {
  /** The titles of the open groups, by indentation. */
  readonly titles: Map<number, string>;
  /** The last comment at the left margin, which is how tape prints a test's title. */
  title: string;
  /** The script that `prove -v` names before its results. */
  script: string;
  /** The indentation of a failure that its group will repeat; -1 if there is none. */
  nested: number;
  /** The line after the block of the last result: nothing in a block is a result. */
  end: number;
  readonly failed: TestIdentity[];
}

/**
 * TAP: node's test runner, tape, QUnit, ava, vitest, mocha, busted, bats, and whatever else prints it. A parent that
 * failed only because of its subtests is left out.
 */
export const readTap: FailureReader = (lines) => {
  const open: Open = {
    ...{ titles: new Map(), title: "", script: "", nested: -1, end: 0 },
    failed: [],
  };
  lines.forEach((line, at) => {
    if (at < open.end) return;
    const script = PERL_FILE.exec(line)?.[1];
    if (script !== undefined) open.script = script;
    // The end of a group that stands before its tests.
    if (/^ *\}$/.test(line)) open.nested = -1;
    const [, indent = "", subtest] = SUBTEST.exec(line) ?? [];
    if (subtest !== undefined) openGroup(open, indent.length, subtest);
    else if (RESULT.test(line)) readResult(open, lines, at);
    else open.title = TITLE.exec(line)?.[1] ?? open.title;
  });
  return open.failed;
};

function openGroup({ titles }: Open, indent: number, title: string): void {
  for (const each of [...titles.keys()]) if (each >= indent) titles.delete(each);
  titles.set(indent, unescaped(title));
}

function readResult(open: Open, lines: readonly string[], at: number): void {
  const [, blank = "", not, dash, said = ""] = RESULT.exec(lines[at] ?? "") ?? [];
  const indent = blank.length;
  const isGroup = said.endsWith(" {");
  const name = withoutTime(said.replace(/ \{$/, ""), "tap");
  // vitest prints a group before its tests, and opens it with a brace.
  if (isGroup) {
    openGroup(open, indent, name);
    open.nested = -1;
    return;
  }
  const block = blockAfter(lines, at, indent);
  open.end = at + 1 + block.length;
  const isRepeated = isBySubtests(open, block, indent);
  const hasFailed = not !== undefined && !EXPECTED.test(name);
  open.nested = hasFailed ? indent : Math.min(open.nested, indent - 1);
  if (hasFailed && !isRepeated) open.failed.push(identified(open, block, { name, indent, dash }));
  // The title of tape's next test looks like a comment on this result.
  for (const line of block) open.title = TITLE.exec(line)?.[1] ?? open.title;
}

/** What belongs to a result: a block of YAML, or comments right after it. */
function blockAfter(lines: readonly string[], at: number, indent: number): readonly string[] {
  const rest = lines.slice(at + 1, at + 1 + BLOCK_LINES_MAX);
  const isYaml = /^\s+---$/.test(rest[0] ?? "");
  const end = rest.findIndex((line) =>
    isYaml ? /^\s+\.\.\.$/.test(line) : !line.slice(indent).startsWith("#") || SUBTEST.test(line),
  );
  return end === -1 ? rest : rest.slice(0, end);
}

function isBySubtests({ nested }: Open, block: readonly string[], indent: number): boolean {
  const type = valueOf(block, "failureType");
  // A failed hook is a failure of the group itself.
  return type === undefined ? nested > indent : type === "subtestsFailed";
}

function identified(
  { titles, title, script }: Open,
  block: readonly string[],
  { name, indent, dash }: { name: string; indent: number; dash: string | undefined },
): TestIdentity {
  const own = name === "" ? UNNAMED : unescaped(name);
  const location = placeIn(valueOf(block, "location"));
  const around = [...titles].filter(([each]) => each < indent).map(([, each]) => each);
  if (location !== undefined) {
    const isFile = own === location || own.endsWith(`/${location}`);
    return isFile ? failedFile(location) : { file: location, path: around, name: own };
  }
  const isOfTape = dash === undefined && valueOf(block, "operator") !== undefined;
  if (isOfTape) {
    return { file: placeIn(valueOf(block, "at")) ?? "", path: [title], name: own };
  }
  return inTitles([...around, ...own.split(/ (?:>|›) /)], commentedFile(block) ?? script);
}

/** Splits titles whose first may be a file. */
function inTitles(titles: readonly string[], file: string): TestIdentity {
  const [first = "", ...rest] = titles;
  const isFile = /^\S+\.[cm]?[jt]sx?$/.test(first) && (first.includes("/") || rest.length > 0);
  if (isFile && rest.length === 0) return failedFile(first);
  const all = isFile ? rest : titles;
  return { file: isFile ? first : file, path: all.slice(0, -1), name: all.at(-1) ?? "" };
}

/** The file in comments after a result, as bats and busted print it. */
function commentedFile(block: readonly string[]): string | undefined {
  for (const line of block) {
    const [, inFile, busted] =
      /^\s*#\s+(?:.*\bin test file (\S+), line \d+\)|(\S+) @ \d+$)/.exec(line) ?? [];
    if (inFile !== undefined || busted !== undefined) return inFile ?? busted;
  }
  return undefined;
}

function valueOf(block: readonly string[], key: string): string | undefined {
  const start = `${key}:`;
  const line = block.find((each) => each.trimStart().startsWith(start));
  return line
    ?.trim()
    .slice(start.length)
    .trim()
    .replace(/^'(.*)'$/, "$1");
}

/** The file of a place such as `test/a.js:3:1`, or of a line of a stack that ends in one in parentheses. */
function placeIn(text: string | undefined): string | undefined {
  const file = /^(?:.*\()?(?!node:)([^()]+?):\d+(?::\d+)?\)?$/.exec(text ?? "")?.[1];
  return file === undefined ? undefined : plainPath(file);
}

function unescaped(title: string): string {
  return title.replace(/\\([#\\])/g, "$1");
}
