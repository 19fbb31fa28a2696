import { expect, test } from "vitest";
import { closedSentences } from "../../src/views/next/closed-sentences.ts";
import { statusView } from "../../src/views/status/status-view.ts";
import type { StatusFacts } from "../../src/workspace/session/status-facts.ts";
import { branchOf } from "../../src/session/state/session-state.ts";
import { factsOf, oid, type Story } from "../cli/session-states.ts";

const STANDS = { isRevisedSince: false, isMerged: false };
const LOCAL = [`done at=${oid("2")}`];
const PUSHED = [`done at=${oid("2")} remote=origin`];
const commits = [oid("1"), oid("2")];
const reviewer = [
  `review.end unit=commit:${oid("2")} checkpoint=${oid("2")} outcome=reviewed findings="[]"`,
];

function closed(human: readonly string[], beside: Partial<StatusFacts> = {}, story: Story = {}) {
  return { ...factsOf({ commits, reviewer, human, ...story }, []), taken: STANDS, ...beside };
}

/** The same, with the branch gone. */
function withoutBranch(facts: StatusFacts): StatusFacts {
  return { ...facts, state: { ...facts.state, branch: branchOf(oid("0"), undefined, []) } };
}

const RESCUE = "refs/wisp/rescue/api/abandoned";

test.each<readonly [string, StatusFacts, readonly string[]]>([
  ["shipped", closed(LOCAL), ["git merge wisp/api", "wisp revise api", "wisp list"]],
  [
    "shipped, and merged since",
    closed(LOCAL, { taken: { ...STANDS, isMerged: true } }),
    ["wisp revise api", "wisp list"],
  ],
  ["shipped and pushed", closed(PUSHED), ["wisp revise api", "wisp list"]],
  ["shipped, with its clones still there", closed(LOCAL, { hasClones: true }), ["wisp done api"]],
  [
    "shipped, and revised since, its clones released",
    closed(LOCAL, { taken: { ...STANDS, isRevisedSince: true }, hasClones: false }),
    ["wisp done api"],
  ],
  [
    "shipped, and continued by hand",
    closed(LOCAL, {}, { commits: [...commits, oid("3")] }),
    [`git merge ${oid("2")}`, "wisp revise api", "wisp list"],
  ],
  [
    "shipped, its branch deleted",
    withoutBranch(closed(LOCAL, { hasClones: true })),
    [`git branch wisp/api ${oid("2")}`, "wisp list"],
  ],
  ["shipped and pushed, its branch deleted", withoutBranch(closed(PUSHED)), ["wisp list"]],
  [
    "abandoned",
    withoutBranch(closed(["abandon"])),
    [`git log ${RESCUE}`, `git branch wisp/api ${RESCUE}`, "wisp list"],
  ],
  [
    "abandoned by a command that was killed",
    closed(["abandon"], { hasClones: true }),
    ["wisp abandon api"],
  ],
  [
    "rejected by a command that was killed",
    closed(["reject"], { hasClones: true }),
    ["wisp review api --reject"],
  ],
  ["abandoned, its branch checked out", closed(["abandon"]), ["wisp list"]],
])("the next commands of a closed session are those that are left to do: %s", (_, facts, next) => {
  expect(statusView(facts).next).toEqual(next);
});

test("a revision of shipped work leads to that work, and an abandoned one to its parent", () => {
  const facts = factsOf({ commits }, []);
  const parent = { id: "api", revision: 1, how: "revise" as const, asked: [], state: "/state" };
  const session = { ...facts.session, id: "api/revision-1", parent };
  const given = closed(["abandon"], { session });
  expect(statusView(given).next).toEqual(["wisp status api"]);
  expect(closedSentences(statusView(given)).map(({ text }) => text)).toEqual([
    "what it published stays on wisp/api, the branch of api",
  ]);
});

test.each<readonly [string, readonly string[], Story, string]>([
  ["once", LOCAL, {}, "its work is on wisp/api at 2222222222, not pushed"],
  [
    "once, and the branch has moved on",
    PUSHED,
    { commits: [...commits, oid("3")] },
    "its work is on wisp/api at 2222222222, pushed to origin; the branch is at 3333333333 now",
  ],
  [
    "once again, with a revision",
    [...LOCAL, `done at=${oid("3")} remote=origin`],
    { commits: [...commits, oid("3")] },
    "its work is on wisp/api at 3333333333, pushed to origin",
  ],
  [
    "once, and pushed later",
    [...LOCAL, `done at=${oid("2")} remote=origin`],
    {},
    "its work is on wisp/api at 2222222222, pushed to origin",
  ],
  [
    "after it was abandoned, which remains in force",
    ["abandon", ...LOCAL],
    {},
    `its branch is kept as ${RESCUE}; wisp/api still exists, at 2222222222`,
  ],
])("shipped work says when it was shipped and where it is: %s", (_, human, story, says) => {
  const [first] = closedSentences(statusView(closed(human, {}, story)));
  const when = says.startsWith("its work") ? "it was shipped on 2026-11-20 12:00 UTC; " : "";
  expect(first?.text).toBe(`${when}${says}`);
});
