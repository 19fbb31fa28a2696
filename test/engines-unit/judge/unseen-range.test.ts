import { expect, test } from "vitest";
import type { Call } from "../../../src/engines/events/calls.ts";
import { whyUnseen, type RangeAsked } from "../../../src/engines/judge/unseen-range.ts";

const ASKED: RangeAsked = {
  folder: "/srv/s/turns/t-1",
  range: "/srv/s/turns/t-1/range.diff",
  startSha: "1111111111111111111111111111111111111111",
  endSha: "abcdef0123456789abcdef0123456789abcdef01",
};

type Row = readonly [tool: string, input: object, end: Call["end"]];

function calls(rows: readonly Row[]): readonly Call[] {
  return rows.map(([tool, input, end], at) => ({
    id: String(at),
    tool,
    input: JSON.stringify(input),
    end,
  }));
}

/** The tools that were tried in vain; `undefined` if the range may have been seen. */
function triedBy(rows: readonly Row[], asked = ASKED): readonly string[] | undefined {
  return whyUnseen({ list: calls(rows), isWhole: true }, asked)?.tried.map(({ tool }) => tool);
}

const bash = (command: string, end: Call["end"]): Row => ["bash", { command }, end];
const view = (path: string, end: Call["end"]): Row => ["view", { path }, end];
const RANGE = ASKED.range;

test.each<readonly [string, readonly Row[], readonly string[]]>([
  ["no call at all", [], []],
  ["the file refused", [view(RANGE, "refused")], ["view"]],
  [
    "the file refused to each tool",
    [view(RANGE, "refused"), bash(`cat ${RANGE}`, "refused")],
    ["view", "bash"],
  ],
  ["a missing file", [bash(`cat ${RANGE}`, "failed")], ["bash"]],
  ["the file by its name only", [bash("cat ../t-1/range.diff", "refused")], ["bash"]],
  ["the whole folder refused", [["list", { dir_path: ASKED.folder }, "refused"]], ["list"]],
  ["all files in the folder", [bash(`cat ${ASKED.folder ?? ""}/*`, "refused")], ["bash"]],
  ["git diff refused", [bash("git diff 1111111 abcdef0", "refused")], ["bash"]],
  ["git show of HEAD that failed", [bash("git --no-pager show HEAD", "failed")], ["bash"]],
  [
    "the request read, and the range refused",
    [view(`${ASKED.folder ?? ""}/request.md`, "good"), view(RANGE, "refused")],
    ["view"],
  ],
  [
    "another command in the same call, and the range refused",
    [bash("ls -la", "good"), view(RANGE, "refused")],
    ["view"],
  ],
  ["a search in it that was refused", [bash(`grep sum ${RANGE}`, "refused")], ["bash"]],
])("the range was not seen: %s", (_, rows, tried) => {
  expect(triedBy(rows)).toEqual(tried);
});

test.each<readonly [string, readonly Row[]]>([
  ["the file read", [view(RANGE, "good")]],
  [
    "refused to one tool, read with another",
    [view(RANGE, "refused"), bash(`cat ${RANGE}`, "good")],
  ],
  [
    "the file refused, and git diff instead",
    [view(RANGE, "refused"), bash(`git diff 1111111..abcdef012`, "good")],
  ],
  [
    "the file refused, and git show of its end instead",
    [view(RANGE, "refused"), bash("cd x && git show HEAD", "good")],
  ],
  ["the whole folder read", [view(RANGE, "refused"), bash(`cat ${ASKED.folder ?? ""}/*`, "good")]],
  ["a search without a match", [bash(`grep TODO ${RANGE}`, "failed")]],
  [
    "a search without a match, and a successful read",
    [bash(`grep TODO ${RANGE}`, "failed"), view(RANGE, "good")],
  ],
  [
    "a difference that the exit code reports",
    [bash("git diff --exit-code 1111111 abcdef0", "failed")],
  ],
  ["only other files", [view("/repo/src/sum.mjs", "good")]],
  ["only other files, which were refused", [view("/etc/passwd", "refused")]],
  [
    "another file of the folder that was refused",
    [view(`${ASKED.folder ?? ""}/request.md`, "refused")],
  ],
  [
    "another file with a longer name",
    [view("/repo/old-range.diff.orig", "refused"), view("/repo/my.range.diff", "refused")],
  ],
  ["another folder with a longer name", [view("/srv/s/turns/t-12/x", "refused")]],
  ["git about another commit", [bash("git show 9999999", "refused")]],
  ["a read without a result", [view(RANGE, "none")]],
])("the range may have been seen: %s", (_, rows) => {
  expect(triedBy(rows)).toBeUndefined();
});

test("a diff in a failed call's output, or a diff of other commits, counts as seen", () => {
  const [both] = calls([bash(`git diff ${ASKED.startSha} ${ASKED.endSha}; npm test`, "failed")]);
  const list = both === undefined ? [] : [both];
  expect(whyUnseen({ list, isWhole: true }, ASKED)).toEqual({ tried: list });
  const shown = list.map((call) => ({ ...call, hasDiff: true }));
  expect(whyUnseen({ list: shown, isWhole: true }, ASKED)).toBeUndefined();
  expect(triedBy([view(RANGE, "failed"), bash("git show 2222222", "good")])).toBeUndefined();
  expect(triedBy([view(RANGE, "failed"), bash("git status", "good")])).toEqual(["view"]);
});

test("assumes that the range was seen if the list of calls is incomplete", () => {
  const list = calls([view(RANGE, "refused")]);
  expect(whyUnseen({ list, isWhole: false }, ASKED)).toBeUndefined();
});

test("recognizes a range without commits by its file", () => {
  const asked = { range: RANGE };
  expect(triedBy([bash("git diff 1111111 abcdef0", "refused")], asked)).toBeUndefined();
  expect(triedBy([view(RANGE, "refused")], asked)).toEqual(["view"]);
});
