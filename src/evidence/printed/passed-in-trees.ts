import { hasTime, withoutTime } from "./appended-time.ts";
import { openTitle, titlesAround, type OpenTitles, type PassReader } from "./listed-tree.ts";
import { plainPath, type TestIdentity } from "./test-identity.ts";

/**
 * The `spec` reporter of node's test runner. A group is listed as passed even if none of its tests ran, so only what has
 * nothing below it counts.
 */
export const passedInNodeSpec: PassReader = (lines) => {
  const titles: OpenTitles = new Map();
  const end = lines.indexOf("✖ failing tests:");
  return (end === -1 ? lines : lines.slice(0, end)).flatMap((line): readonly TestIdentity[] => {
    const [, blank = "", sign, said = ""] = /^( *)([▶✔✖]) (.+)$/.exec(line) ?? [];
    const indent = blank.length;
    if (sign === "▶" && !hasTime(said, "round")) openTitle(titles, indent, said);
    // What is expected to fail has its reason after the time.
    if (sign === undefined || sign === "▶" || !hasTime(said, "round")) return [];
    const name = withoutTime(said, "round");
    const isGroup = titles.get(indent) === name;
    if (isGroup) titles.delete(indent);
    if (isGroup || sign === "✖") return [];
    return [{ file: "", path: titlesAround(titles, indent), name }];
  });
};

const RESULT = /^( *)(not )?ok \d+(?: -)? (.+)$/;

/** TAP of node's test runner, with the titles around each test, and of bats. Parents are no tests of their own. */
export const passedInTap: PassReader = (lines) => {
  const titles: OpenTitles = new Map();
  let last = 0;
  return lines.flatMap((line): readonly TestIdentity[] => {
    const [, blank = "", title] = /^( *)# Subtest: (.*)$/.exec(line) ?? [];
    if (title !== undefined) openTitle(titles, blank.length, unescaped(title));
    const [, space = "", not, name = ""] = RESULT.exec(line) ?? [];
    if (name === "") return [];
    const indent = space.length;
    const isParent = last > indent;
    last = indent;
    if (not !== undefined || isParent || /(?<!\\)# (?:TODO|SKIP)\b/i.test(name)) return [];
    return [{ file: "", path: titlesAround(titles, indent), name: unescaped(name) }];
  });
};

function unescaped(title: string): string {
  return title.replace(/\\([#\\])/g, "$1");
}

/** vitest's `verbose` reporter, which appends a time to each test that ran. */
export const passedInVitest: PassReader = (lines) =>
  lines.flatMap((line): readonly TestIdentity[] => {
    const [, project, said = ""] = /^ ✓ (?:\|([^|]+)\| )?(\S.*) \d+ms$/.exec(line) ?? [];
    const [file = "", ...titles] = said.split(" > ");
    if (titles.length === 0) return [];
    const path = [...(project === undefined ? [] : [project]), ...titles.slice(0, -1)];
    return [{ file, path, name: titles.at(-1) ?? "" }];
  });

/** jest with `--verbose`: a file, and the tree of its tests up to an empty line. */
export const passedInJest: PassReader = (lines) => {
  const titles: OpenTitles = new Map();
  let file: string | undefined;
  return lines.flatMap((line): readonly TestIdentity[] => {
    const header = /^(?:PASS|FAIL) (?:.* )?(\S+\.[cm]?[jt]sx?)(?: \([^()]*\))?$/.exec(line)?.[1];
    if (header !== undefined || line === "") titles.clear();
    if (header !== undefined || line === "") file = header && plainPath(header);
    return file === undefined
      ? []
      : leafIn(titles, line).map((leaf) => ({ ...leaf, file: file ?? "" }));
  });
};

/** mocha's `spec` reporter. */
export const passedInMocha: PassReader = (lines) => {
  const titles: OpenTitles = new Map();
  const end = lines.findIndex((line) => /^ {2}\d+ passing\b/.test(line));
  return lines.slice(0, end === -1 ? 0 : end).flatMap((line) => leafIn(titles, line));
};

/** A test in a tree of titles, where only tests have signs; only slow ones have a time. */
function leafIn(titles: OpenTitles, line: string): readonly TestIdentity[] {
  const [, blank = "", sign, said = ""] = /^( {2,})(?:([✓✔✕○✎-]|\d+\)) )?(\S.*)$/.exec(line) ?? [];
  if (said === "") return [];
  if (sign === undefined) openTitle(titles, blank.length, said);
  if (sign !== "✓" && sign !== "✔") return [];
  const name = withoutTime(said, "round");
  return [{ file: "", path: titlesAround(titles, blank.length), name }];
}

/** Lines of RSpec that end its list of tests. */
const RSPEC_END = /^(?:Pending:|Failures:|Finished in )/;

/**
 * RSpec's `documentation` format, with the titles as one text, as in its list of failures. A title with nothing further
 * in below it is a test.
 */
export const passedInRspec: PassReader = (lines) => {
  const titles: OpenTitles = new Map();
  const end = lines.findIndex((line) => RSPEC_END.test(line));
  const list = lines.slice(0, Math.max(end, 0));
  return list.flatMap((line, at): readonly TestIdentity[] => {
    const [, blank = "", said = ""] = /^((?: {2})*)(\S.*)$/.exec(line) ?? [];
    if (said === "") return [];
    openTitle(titles, blank.length, said);
    const next = /^ */.exec(list[at + 1] ?? "")?.[0].length ?? 0;
    const isTest = blank !== "" && next <= blank.length;
    if (!isTest || / \((?:FAILED - \d+|PENDING: .*)\)$/.test(said)) return [];
    return [{ file: "", path: [], name: described([...titles.values()]) }];
  });
};

/** `Calc#add works`: what begins like a method follows without a space. */
function described(titles: readonly string[]): string {
  return titles.reduce((text, title) =>
    /^(?:#|::|\.)/.test(title) ? `${text}${title}` : `${text} ${title}`,
  );
}
