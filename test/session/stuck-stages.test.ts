import fc from "fast-check";
import { expect, test } from "vitest";
import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { buildOrder, setAside } from "../../src/session/rules/build-order.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../src/session/state/fold-builder.ts";
import {
  REVISION_STUCK,
  STORIES_STUCK,
  type Policy,
  type StuckStages,
} from "../../src/fs-protocol/home/policy.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import { coordinate } from "../../src/session/steps/coordinate.ts";
import { stateOf } from "../agents/memory-role.ts";
import { builder, sha } from "../rig/records.ts";

const PLAN = { A: ["one"], B: ["two"], C: ["three"] };
const ADOPT = builder.adopt(PLAN);

const policyWith = (stuck: StuckStages | undefined): Policy => ({ ...DEFAULT_POLICY, stuck });

/** Creates this many attempts at a milestone without progress. */
function idle(m: string, count: number, from = 1): readonly BuilderRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const unit = `build:${m}:${String(from + index)}`;
    return builder.build({ m, unit, outcome: "noprogress", reason: "it does not fit" });
  });
}

function hinted(m: string, attempts: number, text: string | undefined): BuilderRecord {
  return {
    kind: "hint.end",
    time: "2026-11-20T12:00:00.000Z",
    unit: `hint:${m}:${String(attempts)}`,
    m,
    attempts,
    stalled: attempts,
    outcome: text === undefined ? "none" : "hint",
    ...(text === undefined ? {} : { text }),
  };
}

function ended(m: string, attempt = 1): BuilderRecord {
  return builder.build({
    m,
    unit: `build:${m}:${String(attempt)}`,
    outcome: "milestone",
    ticks: [{ m, tasks: [1] }],
    commits: [sha(1)],
    milestones: [{ name: m, start: sha(0), end: sha(1) }],
  });
}

/** Returns the builder's next step: `build:A:1`, `hint:A:3`, or the kind of another step. */
function next(stuck: StuckStages | undefined, ...records: readonly BuilderRecord[]): string {
  const state = stateOf({
    builder: [ADOPT, ...records],
    commits: [sha(1)],
  });
  const step = coordinate("builder", { ...state, policy: policyWith(stuck) }, 0);
  return step.kind === "build" || step.kind === "hint" ? step.unit : step.kind;
}

const window = [ended("B"), builder.close("all")];

test.each([
  ["nothing was tried", STORIES_STUCK, [], "build:A:1"],
  ["two attempts", STORIES_STUCK, idle("A", 2), "build:A:3"],
  ["three attempts: a hint", STORIES_STUCK, idle("A", 3), "hint:A:3"],
  ["with its hint", STORIES_STUCK, [...idle("A", 3), hinted("A", 3, "Look.")], "build:A:4"],
  ["its hint failed", STORIES_STUCK, [...idle("A", 3), hinted("A", 3, undefined)], "build:A:4"],
  ["five: others first", STORIES_STUCK, idle("A", 5), "build:B:1"],
  [
    "five, and the others are built: tried again",
    STORIES_STUCK,
    [...idle("A", 5), ended("B"), builder.close("all"), ended("C"), builder.close("all")],
    "build:A:6",
  ],
  ["two set aside: the third", STORIES_STUCK, [...idle("A", 5), ...idle("B", 5)], "build:C:1"],
  [
    "all set aside: the first",
    STORIES_STUCK,
    [...idle("A", 5), ...idle("B", 5), ...idle("C", 5)],
    "build:A:6",
  ],
  [
    "its next hint",
    STORIES_STUCK,
    [...idle("A", 5), ...idle("B", 5), ...idle("C", 5), ...idle("A", 1, 6)],
    "hint:A:6",
  ],
  [
    "seven: the end",
    STORIES_STUCK,
    [...idle("A", 5), ...idle("B", 5), ...idle("C", 5), ...idle("A", 2, 6)],
    "halt",
  ],
  ["a revision is hinted at two", REVISION_STUCK, idle("A", 2), "hint:A:2"],
  ["a revision never sets a milestone aside", REVISION_STUCK, [...idle("A", 3)], "build:A:4"],
  ["a revision ends at four", REVISION_STUCK, idle("A", 4), "halt"],
  ["no stages: no hint", undefined, idle("A", 2), "build:A:3"],
  ["no stages: the end at K", undefined, idle("A", 3), "halt"],
  ["no hint at the end", { hint: 3, pause: 3 }, idle("A", 3), "halt"],
  ["a milestone set aside at the end halts", { skip: 3, pause: 3 }, idle("A", 3), "halt"],
  ["the boundary comes first", STORIES_STUCK, [...idle("A", 5), ended("B")], "wait"],
  ["progress elsewhere changes nothing", STORIES_STUCK, [...idle("A", 5), ...window], "build:C:1"],
  [
    "a tick by another's turn is progress",
    STORIES_STUCK,
    [
      ...idle("A", 5),
      builder.build({ m: "B", outcome: "partial", ticks: [{ m: "A", tasks: [1] }] }),
    ],
    "build:A:6",
  ],
  [
    "a reopen resets the counts",
    STORIES_STUCK,
    [...idle("A", 5), ...window, builder.done("stuck"), builder.reopen(0), builder.close("all")],
    "build:A:6",
  ],
  [
    "and with a plan",
    STORIES_STUCK,
    [...idle("A", 5), ...window, builder.adopt(PLAN, { seq: 1 })],
    "build:A:6",
  ],
] as const)("%s", (_, stuck, records, expected) => {
  expect(next(stuck, ...records)).toBe(expected);
});

test("a hint lasts until its milestone makes progress or a plan changes it", () => {
  const hint = [ADOPT, ...idle("A", 3), hinted("A", 3, "Look."), hinted("A", 6, undefined)];
  const fold = (...more: readonly BuilderRecord[]) => foldAll([...hint, ...more]);
  expect(fold().hints.get("A")).toEqual({ m: "A", attempts: 6, stalled: 3, text: "Look." });
  expect(fold(builder.reopen(0)).hints.size).toBe(1);
  expect(fold(builder.adopt(PLAN, { seq: 1 })).hints.size).toBe(1);
  expect(fold(builder.adopt({ ...PLAN, A: ["less"] }, { seq: 1 })).hints.size).toBe(0);
  const partly = builder.build({ m: "A", outcome: "partial", ticks: [{ m: "A", tasks: [1] }] });
  expect(fold(partly).hints.size).toBe(0);
  expect(fold(partly).lastHint?.text).toBe("Look.");
});

test('"no worse" is measured against HEAD before the first attempt, even if other milestones were built in between', () => {
  const fold = foldAll([
    ADOPT,
    builder.begin("build:A:1", sha(1)),
    ...idle("A", 5),
    builder.begin("build:B:1", sha(2)),
    ended("B"),
    builder.close("all"),
    ...idle("C", 5),
    builder.begin("build:A:6", sha(9)),
  ]);
  expect([...fold.milestoneBases]).toEqual([["A", sha(1)]]);
});

const stages = fc.record(
  {
    hint: fc.integer({ min: 1, max: 4 }),
    skip: fc.integer({ min: 1, max: 5 }),
    pause: fc.integer({ min: 1, max: 6 }),
  },
  { requiredKeys: ["pause"] },
);

test("whichever milestones stall, none is lost and the session comes to an end", () => {
  const attempts = fc.infiniteStream(fc.constantFrom("noprogress", "partial", "done"));
  fc.assert(
    fc.property(stages, attempts, (stuck, outcomes) => {
      const { steps, fold } = played(stuck, outcomes);
      expect(steps.filter((step) => step.startsWith("hint:"))).toEqual([
        ...new Set(steps.filter((step) => step.startsWith("hint:"))),
      ]);
      const names = [...fold.milestones, ...buildOrder(fold, policyWith(stuck))].map(
        ({ name }) => name,
      );
      expect(names.sort()).toEqual(Object.keys(PLAN));
      const isEnded = fold.milestones.length === names.length;
      expect(steps.at(-1)).toBe(isEnded ? "final" : "halt");
      if (!isEnded)
        expect(Math.max(...[...fold.stalls.values()].map(({ length }) => length))).toBe(
          stuck.pause,
        );
      expect(setAside(fold, policyWith(stuck)).length).toBeLessThan(names.length);
    }),
  );
});

/** The builder alone: windows close at once. */
function played(stuck: StuckStages, outcomes: Iterator<string>) {
  const policy = policyWith(stuck);
  const base = stateOf({ commits: [sha(1)] });
  let fold = foldBuilder(EMPTY_BUILDER, ADOPT, policy);
  const steps: string[] = [];
  for (;;) {
    const step = coordinate("builder", { ...base, policy, builder: fold }, 0);
    if (step.kind !== "build" && step.kind !== "hint")
      return { fold, steps: [...steps, step.kind] };
    steps.push(step.unit);
    const { name } = step.milestone;
    if (step.kind === "hint") {
      fold = foldBuilder(fold, hinted(name, step.attempts, "Look."), policy);
      continue;
    }
    const outcome: unknown = outcomes.next().value;
    if (outcome === "done") {
      fold = foldBuilder(fold, ended(name, step.attempt), policy);
      fold = foldBuilder(fold, builder.close("all"), policy);
    } else {
      // Partial outcomes without a tick are limited, so that the loop ends.
      const isPartial = outcome === "partial" && step.attempt < 9;
      const end = builder.build({
        m: name,
        unit: step.unit,
        outcome: isPartial ? "partial" : "noprogress",
      });
      fold = foldBuilder(fold, end, policy);
    }
  }
}

function foldAll(records: readonly BuilderRecord[]): BuilderFold {
  const policy = policyWith(STORIES_STUCK);
  return records.reduce((fold, record) => foldBuilder(fold, record, policy), EMPTY_BUILDER);
}
