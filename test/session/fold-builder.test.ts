import fc from "fast-check";
import { expect, test } from "vitest";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { currentMilestone } from "../../src/session/rules/build-order.ts";
import {
  EMPTY_BUILDER,
  isSpent,
  verifyKey,
  type BuilderFold,
} from "../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../src/session/state/fold-builder.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import { anyRecord } from "../rig/arbitrary-record.ts";
import { builder, sha, timeAt } from "../rig/records.ts";
import { currentFix, lastEndOf } from "../../src/session/state/stage.ts";

const policy = { ...DEFAULT_POLICY, fixAttemptsMax: 2 };

function folded(...records: readonly BuilderRecord[]): BuilderFold {
  return records.reduce((fold, record) => foldBuilder(fold, record, policy), EMPTY_BUILDER);
}

const plan = builder.adopt({ A: ["one", "two"], B: ["three"] });
const aEnded = builder.build({
  m: "A",
  time: timeAt(5),
  outcome: "milestone",
  ticks: [{ m: "A", tasks: [1, 2] }],
  commits: [sha(1), sha(2)],
  milestones: [{ name: "A", start: sha(0), end: sha(2) }],
});

test("a session begins with a plan to wait for", () => {
  expect(folded().stage.kind).toBe("plan");
  expect(folded().planRequest).toBe(-1);
  expect(currentMilestone(folded(), policy)).toBeUndefined();
});

test("the plan that was adopted is in force, and is built from its first milestone on", () => {
  const fold = folded(builder.adopt({ A: ["one"] }, { seq: 3, plan: "p3", request: 2 }));
  expect(fold).toMatchObject({
    stage: { kind: "build" },
    planSha: "p3",
    planRequest: 2,
    adjudicated: 3,
  });
  expect(currentMilestone(fold, policy)).toEqual({ name: "A", tasks: ["one"] });
});

test("a refused plan is adjudicated and counted, and the reason is kept until a plan is adopted", () => {
  const refused = folded(plan, aEnded, builder.refuse(1, "it drops A"));
  expect(refused).toMatchObject({ stage: { kind: "window" }, adjudicated: 1, refusals: 1 });
  expect(refused.lastRefusal).toBe("it drops A");
  const adopted = foldBuilder(refused, builder.adopt({ A: ["one", "two"] }, { seq: 2 }), policy);
  expect(adopted).toMatchObject({ refusals: 1, lastRefusal: undefined, stage: { kind: "window" } });
});

test("a milestone that ended is recorded once, in order, and opens the window", () => {
  const fold = folded(plan, aEnded);
  expect(fold).toMatchObject({ ownEnd: sha(2), stretch: { rounds: 0 } });
  expect(fold.milestones).toEqual([{ name: "A", start: sha(0), end: sha(2) }]);
  expect(fold.stage).toEqual({ kind: "window", openedMs: Date.parse(timeAt(5)) });
  expect(currentMilestone(fold, policy)?.name).toBe("B");
});

test("several milestones of one turn are one record", () => {
  const milestones = [
    { name: "A", start: sha(0), end: sha(1) },
    { name: "B", start: sha(1), end: sha(1) },
  ];
  const fold = folded(plan, builder.build({ m: "A", outcome: "milestone", milestones }));
  expect(fold.milestones).toEqual(milestones);
  expect(fold.ownEnd).toBe(sha(1));
  expect(currentMilestone(fold, policy)).toBeUndefined();
});

test("ticks of several turns add up, and partial work is progress", () => {
  const fold = folded(
    plan,
    builder.build({ m: "A", outcome: "noprogress", reason: "nothing" }),
    builder.build({
      m: "A",
      outcome: "partial",
      ticks: [{ m: "A", tasks: [2] }],
      commits: [sha(1)],
    }),
    builder.build({ m: "A", outcome: "partial", ticks: [{ m: "A", tasks: [1] }] }),
  );
  expect([...(fold.ticks.get("A") ?? [])].sort()).toEqual([1, 2]);
  expect(fold).toMatchObject({ stage: { kind: "build" }, ownEnd: sha(1) });
  expect([...fold.stalls, ...fold.troubles]).toEqual([]);
  expect(fold.buildAttempts.get("A")).toBe(3);
  expect([...fold.backed]).toEqual(["A"]);
});

test("attempts without progress are counted, with the last failure", () => {
  const fold = folded(
    plan,
    builder.build({ m: "A", outcome: "noprogress", reason: "nothing" }),
    builder.build({ m: "A", outcome: "unverified", reason: "red", commits: [sha(1)] }),
  );
  expect(fold.stalls.get("A")).toMatchObject([{ reason: "nothing" }, { reason: "red" }]);
  expect(fold.troubles.get("A")).toEqual({ outcome: "unverified", reason: "red" });
  expect(fold.ticks.size).toBe(0);
});

test("a question does not count as an attempt: the same unit follows the answer", () => {
  const fold = folded(
    plan,
    builder.begin("build:A:1"),
    builder.build({ m: "A", outcome: "needs_input", question: "builder-1", ask: "Which port?" }),
  );
  expect(fold.questions).toEqual([{ id: "builder-1", unit: "build:A:1", ask: "Which port?" }]);
  expect(fold.buildAttempts.get("A")).toBeUndefined();
  expect(fold).toMatchObject({ open: undefined, stage: { kind: "build" } });
  expect(fold.stalls.size).toBe(0);
});

test("commits that a question is about are on the branch, and back the ticks of the attempt that follows", () => {
  const asks = { outcome: "needs_input", question: "builder-1", ask: "Is there room?" } as const;
  const fold = folded(
    plan,
    builder.begin("build:A:1"),
    builder.build({ m: "A", ...asks, commits: [sha(1)] }),
  );
  expect([...fold.backed]).toEqual(["A"]);
  expect(fold.ownEnd).toBe(sha(1));
  expect(fold.buildAttempts.get("A")).toBeUndefined();
});

test("a window that closes with items to fix leads to a round, otherwise to the next milestone", () => {
  const fixing = folded(plan, aEnded, builder.close("timeout", ["COR-1", "COR-2"]));
  expect(fixing.stage).toEqual({ kind: "fix", list: ["COR-1", "COR-2"], batches: [] });
  expect(fixing.stretch.rounds).toBe(1);
  const closed = folded(plan, aEnded, builder.close("all"));
  expect(closed).toMatchObject({ stage: { kind: "build" }, stretch: { rounds: 0 } });
});

test("the items of a fix list are fixed one by one, and the last one opens the window again", () => {
  const list = builder.close("all", ["COR-1", "COR-2"]);
  const one = builder.fix({ id: "COR-1", attempt: 1, outcome: "fixed", sha: sha(3) });
  const two = builder.fix({
    id: "COR-2",
    attempt: 1,
    outcome: "nochange",
    sha: sha(3),
    time: timeAt(7),
  });
  expect(folded(plan, aEnded, list, one).stage).toMatchObject({ kind: "fix", list: ["COR-2"] });
  const fold = folded(plan, aEnded, list, one, two);
  expect(fold.stage).toEqual({ kind: "window", openedMs: Date.parse(timeAt(7)) });
  expect(fold.ownEnd).toBe(sha(3));
});

/** One fix of two findings. */
const together = (outcome: "fixed" | "failed" | "nochange" | "needs_input", more = {}) =>
  builder.fix({
    unit: "fix:COR-1+COR-3:1",
    id: "COR-1",
    also: [{ id: "COR-3", brief: "It is wrong, too" }],
    attempt: 1,
    outcome,
    ...more,
  });

test("FR-006: a fix of a batch is an attempt at each of its findings, by one unit, and takes each off the list", () => {
  const list = builder.close("all", ["COR-1", "COR-2", "COR-3"], ["COR-1+COR-3"]);
  const begun = folded(plan, aEnded, list);
  expect(currentFix(begun)).toEqual(["COR-1", "COR-3"]);
  const fold = folded(plan, aEnded, list, together("fixed", { sha: sha(3) }));
  expect(fold.stage).toEqual({ kind: "fix", list: ["COR-2"], batches: [] });
  expect(fold.ownEnd).toBe(sha(3));
  for (const id of ["COR-1", "COR-3"]) {
    expect(fold.fixes.get(id)).toMatchObject([
      { id, unit: "fix:COR-1+COR-3:1", attempt: 1, outcome: "fixed", sha: sha(3) },
    ]);
  }
  expect(currentFix(fold)).toEqual(["COR-2"]);
});

test("findings that failed as a batch are tried one by one, each with one attempt fewer", () => {
  const list = builder.close("all", ["COR-1", "COR-3"], ["COR-1+COR-3"]);
  const failed = folded(plan, aEnded, list, together("failed"));
  expect(failed.stage).toEqual({ kind: "fix", list: ["COR-1", "COR-3"], batches: [] });
  expect(currentFix(failed)).toEqual(["COR-1"]);
  const second = builder.fix({ id: "COR-1", attempt: 2, outcome: "failed" });
  const spent = folded(plan, aEnded, list, together("failed"), second);
  expect(spent).toMatchObject({ stage: { list: ["COR-3"] }, stretch: { spent: ["COR-1"] } });
});

test("a question about a batch does not count as an attempt: the same batch follows", () => {
  const list = builder.close("all", ["COR-1", "COR-3"], ["COR-1+COR-3"]);
  const asks = together("needs_input", { question: "builder-1", ask: "Which port?" });
  const fold = folded(plan, aEnded, list, asks);
  expect(currentFix(fold)).toEqual(["COR-1", "COR-3"]);
  expect(fold.fixes.size).toBe(0);
  expect(fold.questions).toHaveLength(1);
});

test("a failed fix stays on the list until its attempts are used up", () => {
  const list = builder.close("all", ["COR-1"]);
  const failed = (attempt: number) => builder.fix({ id: "COR-1", attempt, outcome: "failed" });
  const once = folded(plan, aEnded, list, failed(1));
  expect(once.stage).toMatchObject({ kind: "fix", list: ["COR-1"] });
  expect(isSpent(once, "COR-1", policy)).toBe(false);
  const twice = folded(plan, aEnded, list, failed(1), failed(2));
  expect(twice.stage.kind).toBe("window");
  expect(twice.stretch).toMatchObject({ spent: ["COR-1"], spentBefore: [] });
  expect(isSpent(twice, "COR-1", policy)).toBe(true);
  const later = foldBuilder(twice, aEnded, policy);
  expect(later.stretch).toMatchObject({ spent: [], spentBefore: ["COR-1"] });
});

test("the count of rounds restarts with the first final pass of a phase, not with a later one", () => {
  const round = [
    builder.close("final", ["COR-1"]),
    builder.fix({ id: "COR-1", attempt: 1, outcome: "failed" }),
    builder.fix({ id: "COR-1", attempt: 2, outcome: "failed" }),
  ];
  const first = folded(
    plan,
    aEnded,
    builder.close("all", ["COR-1"]),
    ...round.slice(1),
    builder.final(1),
  );
  expect(first).toMatchObject({ stage: { kind: "final" }, finalN: 1, stretch: { rounds: 0 } });
  const second = folded(plan, aEnded, builder.final(1), ...round, builder.final(2));
  expect(second).toMatchObject({ stage: { kind: "final" }, finalN: 2, stretch: { rounds: 1 } });
});

test("a plan with more to build ends the final phase and a halt; one without does not end the final phase", () => {
  const all = builder.adopt({ A: ["one", "two"] });
  const more = builder.adopt({ A: ["one", "two"], C: ["four"] }, { seq: 1 });
  const final = [all, aEnded, builder.close("all"), builder.final(1)];
  expect(folded(...final, more).stage.kind).toBe("build");
  expect(folded(...final, builder.adopt({ A: ["one", "two"] }, { seq: 1 })).stage.kind).toBe(
    "final",
  );
  const halted = folded(all, builder.halt(), more);
  expect(halted.stage).toEqual({ kind: "build" });
  expect(halted.stalls.size).toBe(0);
});

test("an end ends the session, with all data of its record", () => {
  const fold = folded(
    plan,
    builder.halt("no progress"),
    builder.done("stuck", { human: 4, open: ["COR-1"] }),
  );
  expect(fold).toMatchObject({ stage: { kind: "done" }, human: 4 });
  expect(lastEndOf(fold)).toMatchObject({ how: "stuck", head: sha(9), open: ["COR-1"] });
});

test.each<[string, readonly BuilderRecord[]]>([
  ["without a plan", []],
  ["during building", [plan]],
  ["with a milestone left to build", [plan, aEnded, builder.close("all"), builder.final(1)]],
  ["after a halt", [plan, builder.halt()]],
  ["in the final phase, but without a plan", [builder.final(1)]],
  ["after another end", [plan, builder.halt(), builder.done("stuck")]],
])("a complete end %s does not follow from the records, and is ignored", (_, records) => {
  expect(folded(...records, builder.done("complete"))).toEqual(folded(...records));
});

test("a session ends as stuck only if nothing is left to build, or after a halt", () => {
  expect(folded(plan, builder.done("stuck"))).toEqual(folded(plan));
  expect(folded(plan, builder.final(1), builder.done("stuck")).stage.kind).toBe("done");
});

test("a reopen resets the counts of rounds, attempts and stalls", () => {
  const failed = (attempt: number) => builder.fix({ id: "COR-1", attempt, outcome: "failed" });
  const fold = folded(
    plan,
    aEnded,
    builder.close("all", ["COR-1"]),
    failed(1),
    failed(2),
    builder.halt(),
    builder.done("stuck", { human: 1 }),
    builder.reopen(3, timeAt(9)),
  );
  expect(fold).toMatchObject({ reopens: 1, human: 3, stretch: { rounds: 0 } });
  expect(fold.stage).toEqual({ kind: "window", openedMs: Date.parse(timeAt(9)) });
  expect(isSpent(fold, "COR-1", policy)).toBe(false);
  expect(fold.fixes.get("COR-1")).toHaveLength(2);
});

test("a session that is reopened without a plan waits for one", () => {
  const fold = folded(builder.halt("there is no plan"), builder.done("stuck"), builder.reopen(1));
  expect(fold.stage).toEqual({ kind: "plan" });
});

test("the open unit is the one that began and has not ended, with its own newest intent", () => {
  const begun = folded(plan, builder.begin("build:A:1", sha(0)));
  expect(begun.open).toMatchObject({ unit: "build:A:1", base: sha(0), isRecovered: false });
  const other = builder.intent("build:B:1", [sha(7)]);
  const fold = folded(
    plan,
    builder.begin("build:A:1"),
    builder.intent("build:A:1", [sha(1)]),
    other,
    builder.intent("build:A:1", [sha(2)]),
  );
  expect(fold.open?.intent?.shas).toEqual([sha(2)]);
  expect(folded(plan, builder.begin("build:A:1"), aEnded).open).toBeUndefined();
});

test("starting a unit again of which nothing was found keeps its failures but no intent", () => {
  const unit = "build:A:1";
  const time = timeAt(1);
  const fold = folded(
    plan,
    builder.begin(unit),
    builder.intent(unit, [sha(1)]),
    { kind: "attempt.failed", time, unit, reason: "it crashed" },
    { kind: "unit.recover", time, unit, found: "nothing" },
    builder.begin(unit, sha(3)),
  );
  expect(fold.open).toMatchObject({ base: sha(3), failures: 1, lastFailure: "it crashed" });
  expect(fold.open?.intent).toBeUndefined();
});

test("a recovery that found something is due until the unit ends", () => {
  const unit = "build:A:1";
  const fold = folded(plan, builder.begin(unit), builder.intent(unit, [sha(1)]), {
    kind: "unit.recover",
    time: timeAt(1),
    unit,
    found: "published",
  });
  expect(fold.open).toMatchObject({ isRecovered: false, intent: { shas: [sha(1)] } });
});

test('"no worse" is measured against HEAD at the start of a milestone\'s first attempt', () => {
  const fold = folded(
    plan,
    builder.begin("build:A:1", sha(4)),
    builder.build({ m: "A", outcome: "unverified", commits: [sha(5)] }),
    builder.begin("build:A:2", sha(5)),
  );
  expect([...fold.milestoneBases]).toEqual([["A", sha(4)]]);
});

test("a verify result is remembered by command and tree", () => {
  const fold = folded({
    kind: "verify.result",
    time: timeAt(0),
    at: sha(1),
    tree: sha(2),
    command: "c0ffee",
    outcome: "failed",
    failing: ["adds"],
    output: "x",
  });
  expect(fold.verified.get(verifyKey("c0ffee", sha(2)))).toEqual({
    outcome: "failed",
    failing: ["adds"],
    output: "x",
    at: sha(1),
  });
});

test("records for people change nothing", () => {
  const before = folded(plan, aEnded);
  const time = timeAt(1);
  for (const record of [
    { kind: "note", time, text: "hello" },
    { kind: "role.start", time, pid: 1 },
    { kind: "push.done", time, unit: "build:A:1", sha: sha(1) },
    { kind: "role.end", time, reason: "stopped" },
  ] as const) {
    expect(foldBuilder(before, record, policy)).toBe(before);
  }
});

test("no sequence of records that the schema accepts makes the fold fail, or changes an older value", () => {
  fc.assert(
    fc.property(fc.array(anyRecord(BuilderRecord), { maxLength: 20 }), (records) => {
      let fold = EMPTY_BUILDER;
      for (const record of records) {
        const frozen = JSON.stringify(fold, asPlain);
        const next = foldBuilder(fold, record, policy);
        expect(JSON.stringify(fold, asPlain)).toBe(frozen);
        fold = next;
      }
    }),
  );
});

function asPlain(_: string, value: unknown): unknown {
  return value instanceof Map || value instanceof Set ? [...value] : value;
}
