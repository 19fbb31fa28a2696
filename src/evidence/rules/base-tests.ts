import { FINDING_NAMES_MAX, FINDING_TEXT_CHARS_MAX } from "../../base/limits.ts";
import { abbreviate } from "../../base/oid.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { failureExcerpt } from "../verify/failure-report.ts";
import { findingId } from "../../fs-protocol/findings/finding-id.ts";
import type { FailedTests } from "../integrity/failed-tests.ts";
import type { FailedBaseTests } from "../base-tests/base-tests.ts";
import { judgeByBaseTests } from "../base-tests/judge-base-tests.ts";
import { testKey, testsOf } from "../base-tests/sort-failures.ts";
import type { EndRule } from "./evidence-rule.ts";
import { BY_COMPUTING } from "./range-finding.ts";

const CATEGORY = "Tests";
const FILE_CHARS_MAX = 1_000;
const BRIEF_CHARS_MAX = 300;
/** The issue text lists at most this many names; the rest are counted. */
const NAMES_LISTED_MAX = 20;

/** Tests of the session's base that fail at its end, although the request does not ask for it. */
export const baseTests: EndRule = {
  kind: "base-tests",
  role: "tester",
  mayChangeTests: false,
  restoresTests: true,
  find: ({ baseTests: failed }) => (failed === undefined ? [] : baseTestsBugs(failed)),
  findAgain: judgeByBaseTests,
};

/**
 * Reports base tests that fail at the session's end: one bug per file, or several where the names do not
 * fit into one. Each bug covers exactly the tests that it names, and so does its dismissal. A test that an
 * open bug already names is not reported again.
 */
export function baseTestsBugs({ blamed, ...seen }: FailedBaseTests): readonly Finding[] {
  const open = [...seen.known.open].flatMap((id) => {
    const item = seen.known.items.get(id);
    return item === undefined ? [] : testsOf(item).map(testKey);
  });
  const isOpen = new Set(open);
  return blamed.flatMap(({ file: path, names }) => {
    // A longer path does not fit into a record.
    const file = path !== undefined && path.length <= FILE_CHARS_MAX ? path : undefined;
    if (names.length === 0) {
      return isOpen.has(testKey({ file, name: undefined })) ? [] : [bugOf({ file, names }, seen)];
    }
    const fresh = names.filter((name) => !isOpen.has(testKey({ file, name })));
    return inParts(fresh).map((part) => bugOf({ file, names: part }, seen));
  });
}

function inParts(names: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(names.length / FINDING_NAMES_MAX);
  return Array.from({ length: count }, (_, part) =>
    names.slice(part * FINDING_NAMES_MAX, (part + 1) * FINDING_NAMES_MAX),
  );
}

function bugOf(
  { file, names }: FailedTests,
  { base, at, ran }: Omit<FailedBaseTests, "blamed">,
): Finding {
  const clean = (text: string, charsMax: number) => cleanText(text, { charsMax, lines: "many" });
  const count =
    names.length === 0 ? "Tests" : names.length === 1 ? "1 test" : `${String(names.length)} tests`;
  const of = file === undefined ? "" : ` of ${file}`;
  const verb = names.length === 1 ? "fails" : "fail";
  const brief = `${count}${of} as at the base of the session ${verb} on the finished branch`;
  const short = cleanText(brief, { charsMax: BRIEF_CHARS_MAX, lines: "one" });
  const anchor = `base tests fail ${JSON.stringify(names)}`;
  const listed = names.slice(0, NAMES_LISTED_MAX).map((name) => `- ${name}`);
  const rest = names.length - listed.length;
  const issue = [
    `The tests as they stood at ${abbreviate(base)}, where the work began, were run on the tree of ${abbreviate(at)}. These fail, twice, and neither did there nor do as they are now. The request does not ask for it.`,
    ...listed,
    ...(rest > 0 ? [`- and ${String(rest)} more`] : []),
  ];
  return {
    id: findingId({ kind: "bug", category: CATEGORY, file, anchor, brief: short }),
    level: "blocking",
    reviewer: "tester",
    category: CATEGORY,
    brief: short,
    file,
    issue: clean(issue.join("\n"), FINDING_TEXT_CHARS_MAX),
    suggestion: `Keep the behaviour that these tests held. ${BY_COMPUTING}`,
    output: failureExcerpt({ ...ran.red, names }),
    computed: { of: "base-tests", start: base, end: at, m: "", names: [...names] },
  };
}
