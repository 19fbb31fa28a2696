import { expect, test } from "vitest";
import {
  laterCommits,
  laterOfOne,
  reviewedTo,
  type WorkPart,
} from "../../src/workspace/finished/later-commits.ts";
import { branchOf } from "../../src/session/state/session-state.ts";
import { factsOf, json, oid, type Story } from "../cli/session-states.ts";

const COMMITS = ["1", "2", "3", "4", "5", "6"].map(oid);

const milestones = json([{ name: "One", tasks: ["Say hello"] }]);
const adopt = `plan.adopt plan=${"a".repeat(64)} seq=0 request=0 milestones=${milestones}`;
const range = json([{ name: "One", start: oid("0"), end: oid("1") }]);
const built =
  `build.end unit=build:One:1 m=One outcome=milestone ticks=${json([{ m: "One", tasks: [1] }])} ` +
  `commits=${oid("1")} milestones=${range}`;
const final = `final.open n=1 at=${oid("1")}`;
const ended = `done how=complete head=${oid("1")} open=- gaveup=- failed="[]" human=0 reason=ok`;

/** A part of the work that begins after the commit `base` (0: the first), and is reviewed up to `to`. */
function part(
  id: string,
  {
    base = 0,
    to,
    isComplete = true,
    human = [],
  }: Partial<{
    readonly base: number;
    readonly to: number;
    readonly isComplete: boolean;
    readonly human: readonly string[];
  }>,
): WorkPart {
  const story: Story = { builder: isComplete ? [adopt, built, final, ended] : [adopt], human };
  const { state } = factsOf(story);
  const commits = COMMITS.slice(base);
  const checkpoint = to === undefined ? undefined : COMMITS[to - 1];
  const from = base === 0 ? oid("0") : oid(String(base));
  return {
    session: { id },
    state: {
      ...state,
      reviewer: { ...state.reviewer, checkpoint },
      branch: branchOf(from, COMMITS.at(-1), commits),
    },
  };
}

const revise = ["revise revision=1"];

test.each<readonly [string, readonly WorkPart[], number, string | undefined]>([
  ["a session whose commits are reviewed", [part("a", { to: 6 })], 0, undefined],
  ["commits after the end", [part("a", { to: 4 })], 2, "a"],
  ["a session that continues", [part("a", { to: 4, isComplete: false })], 0, undefined],
  [
    "a revision that continues",
    [part("a", { to: 4, human: revise }), part("a/1", { base: 4, isComplete: false })],
    0,
    undefined,
  ],
  [
    "a revision that reviewed the commits in between",
    [part("a", { to: 2, human: revise }), part("a/1", { base: 2, to: 6 })],
    0,
    undefined,
  ],
  [
    "commits after a revision",
    [part("a", { to: 2, human: revise }), part("a/1", { base: 2, to: 5 })],
    1,
    "a/1",
  ],
  [
    "a gap before a revision, as earlier versions left it",
    [part("a", { to: 2, human: revise }), part("a/1", { base: 3, to: 6 })],
    1,
    "a",
  ],
  [
    "commits that an abandoned revision reviewed",
    [
      part("a", { to: 2, human: revise }),
      part("a/1", { base: 2, to: 5, isComplete: false, human: ["abandon"] }),
    ],
    4,
    "a",
  ],
  [
    "commits that nobody will review, because all is closed",
    [part("a", { to: 4, human: [`done at=${oid("4")}`] })],
    2,
    undefined,
  ],
])(
  "counts unreviewed commits and names the session that reviews them: %s",
  (_, family, count, by) => {
    const after = count === 0 ? undefined : reviewedTo(family);
    expect(laterCommits(family)).toEqual({ count, by, after });
  },
);

test("a revision begins where the review of the branch ended, without a gap", () => {
  expect(reviewedTo([part("a", { to: 6 })])).toBe(COMMITS[5]);
  expect(reviewedTo([part("a", { to: 4 })])).toBe(COMMITS[3]);
  expect(reviewedTo([part("a", {})])).toBe(oid("0"));
  const gap = [part("a", { to: 2 }), part("a/1", { base: 3, to: 5 })];
  expect(reviewedTo(gap)).toBe(COMMITS[1]);
});

test("a session with a revision does not guess what the revision reviewed", () => {
  expect(laterOfOne(part("a", { to: 2, human: revise })).count).toBe(0);
  expect(laterOfOne(part("a", { to: 2 })).count).toBe(4);
});
