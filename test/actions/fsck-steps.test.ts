import { expect, test } from "vitest";
import { z } from "zod";
import { nextStep, type StepFacts } from "../../src/actions/repair/fsck-steps.ts";
import { issueViews } from "../../src/actions/repair/fsck-view.ts";
import type { FoundIssue } from "../../src/workspace/home/inspect-home.ts";
import { Oid } from "../../src/base/oid.ts";
import {
  classOf,
  type HomeIssue,
  type HomeProblem,
} from "../../src/fs-protocol/home/home-issue.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { keptFiles } from "../rig/kept-home.ts";

/*
 * The words for each kind of issue. That the commands work is tested with the real binary:
 * `test/process/fsck-next-steps.long.test.ts`.
 */

/** A kind with the fields that the table below gives it. */
const Found = z.custom<FoundIssue>((value) => typeof value === "object");

const SHA = Oid.parse("ab".repeat(20));
const PLAN = "cd".repeat(32);
const MILESTONE = { milestone: "One" };

/** At least one issue of each kind. */
const PROBLEMS: { readonly [K in Kind]: readonly Problem<K>[] } = {
  "bad-line": [{ problem: "it does not begin with a time" }],
  "torn-tail": [{}],
  "unit-without-begin": [{ unit: "test:One" }],
  "unit-ended-twice": [{ unit: "test:One" }],
  "unit-left": [{ unit: "build:One:1", next: "build:Two:1" }],
  "unit-interrupted": [{ unit: "test:One", role: "tester" }],
  "range-broken": [{ ...MILESTONE, start: SHA, expected: SHA }],
  "range-backwards": [MILESTONE],
  "milestone-twice": [MILESTONE],
  "milestone-not-planned": [MILESTONE],
  "number-broken": [{ what: "final pass", found: 3, expected: 1 }],
  "refers-to-nothing": [{ to: "edit", name: "7" }],
  "commit-missing": [{ sha: SHA }],
  "commit-not-on-branch": [{ sha: SHA, branch: "wisp/api" }],
  "branch-gone": [{ branch: "wisp/api" }],
  "plan-missing": (["copy", "tasks", "logs", "recreate", "none", undefined] as const).map(
    (way) => ({
      plan: PLAN,
      way,
    }),
  ),
  "plan-altered": [
    { plan: PLAN, way: "copy" },
    { plan: PLAN, way: "none" },
  ],
  "plan-differs": [{ plan: PLAN }],
  "tasks-differ": [{}],
  "hint-differs": [{}],
  "tasks-edited": [{}],
  "line-missing": [{ text: "One" }],
  "line-extra": [{ text: "One" }],
  "line-misplaced": [{ text: "One" }],
  "request-missing": [{}],
  "request-differs": [{}],
  "id-differs": [{ id: "other" }],
  leftover: [{ what: "holder" }, { what: "lock" }, { what: "temporary" }],
  "current-link": [{}],
  "odd-entry": [{ is: "pipe", expected: "file" }],
  "directory-missing": [{}],
  "copy-differs": (["missing", "cut", "grown", "edited"] as const).map((found) => ({ found })),
  "home-removed": [{ branch: "wisp/api" }],
  "log-lost": [{ branch: "wisp/api" }],
};
type Kind = HomeProblem["kind"];
type Problem<K extends Kind> = Omit<Extract<HomeProblem, { readonly kind: K }>, "kind">;

const places = { root: "/r", node: "node", agent: "agent.mjs" };
const kept = keptFiles("v1-halfway", "home", places).get("session.json") ?? "";
const session = SessionJson.parse(JSON.parse(kept));
const home = homeAt(`/r/repository/.wisp/sessions/${session.id}`);

/** Each issue in a projection and in a log. */
const ISSUES: readonly FoundIssue[] = [home.milestones, home.humanLog].flatMap((path) =>
  Object.entries(PROBLEMS).flatMap(([kind, all]) =>
    all.map((one) => Found.parse({ ...one, kind, path, line: undefined })),
  ),
);

const FACTS: StepFacts = {
  found: { home, session },
  isClosed: false,
  next: [`wisp up ${session.id}`, `wisp abandon ${session.id}`],
  recorded: SHA,
  checkedOutAt: undefined,
  isHeldUp: false,
  clones: new Map(),
  hasHome: () => false,
};

/** What can be known about a session. */
const ALL_FACTS: readonly StepFacts[] = [
  FACTS,
  { ...FACTS, next: [] },
  { ...FACTS, isHeldUp: true, checkedOutAt: "/r/elsewhere", hasHome: () => true },
  { ...FACTS, clones: new Map([[SHA, "/r/state/builder/clone"]]), recorded: undefined },
  { ...FACTS, isClosed: true },
  {
    ...FACTS,
    found: {
      home,
      session: {
        ...session,
        parent: { id: "api", revision: 1, how: "revise", asked: [], state: "/r/state" },
      },
    },
  },
];

test("each kind of issue says what to do next, and lists the commands of that sentence", () => {
  for (const facts of ALL_FACTS) {
    for (const view of issueViews(ISSUES, facts, { isRepaired: false })) {
      const { kind, step, next, canRepair } = view;
      expect([kind, step]).toEqual([kind, expect.stringMatching(/^\S.*\.$/u)]);
      for (const command of next) expect(step).toContain(`\`${command}\``);
      if (canRepair) expect(next).toEqual([`wisp fsck ${session.id} --repair`]);
      // Only a closed session needs no further command.
      else expect([kind, next.length > 0]).toEqual([kind, !facts.isClosed]);
    }
  }
});

test("says what --repair does or did for each issue that it can repair, and for no other", () => {
  for (const isRepaired of [false, true]) {
    for (const view of issueViews(ISSUES, FACTS, { isRepaired })) {
      const { kind, message, repair, canRepair } = view;
      const form = isRepaired ? /^wisp \w+(?:ed|ut|ade|ote|ook) .*\.$/u : /^wisp \w+s .*\.$/u;
      expect([kind, repair]).toEqual([kind, canRepair ? expect.stringMatching(form) : undefined]);
      // The repaired problem is described in the past tense.
      if (isRepaired && canRepair) {
        expect([kind, message]).toEqual([kind, expect.stringMatching(/\b(?:was|did|had|held)\b/u)]);
        expect([kind, message]).toEqual([
          kind,
          expect.not.stringMatching(/ (?:is|are|does|holds) /u),
        ]);
      }
    }
  }
});

test("a missing commit is fetched from a clone that has it; if none has it and the session needs it, the session is to be abandoned", () => {
  const issue: HomeIssue = { kind: "commit-missing", sha: SHA, path: home.humanLog };
  expect(classOf(issue).canRepair).toBe(false);
  const clone = "/r/state/builder/clone";
  const found = nextStep(issue, { ...FACTS, clones: new Map([[SHA, clone]]) });
  expect(found.next[0]).toContain(` fetch ${clone} ${SHA}:refs/wisp/rescue/${session.id}/found-`);
  const lost = nextStep(issue, { ...FACTS, isHeldUp: true });
  expect(lost.next).toEqual([`wisp abandon ${session.id}`]);
  expect(nextStep(issue, FACTS).next).toEqual([`wisp up ${session.id}`]);
});
