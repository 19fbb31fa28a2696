import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry, LogContent } from "../../src/fs-protocol/home/logs.ts";
import { checkRanges } from "../../src/session/check/check-ranges.ts";
import { checkUnits } from "../../src/session/check/check-units.ts";
import { SCENARIOS, type ScenarioName } from "../model/scenarios.ts";
import { randomSession } from "../rig/random-session.ts";

const NAMES = Object.keys(SCENARIOS).filter((name): name is ScenarioName => name in SCENARIOS);
/** Takes minutes on a busy machine. */
const timeout = 180_000;

function logOf<R>(records: readonly R[]): LogContent<R> {
  const entries = records.map((record, index): Entry<R> => ({ record, offsetBytes: index }));
  return { path: "log", entries, bad: [], tornBytes: undefined };
}

const idle = { isLive: false, isOver: false };
const begin = (unit: string) => ({ kind: "unit.begin", unit });
const end = (unit: string, outcome = "tested") => ({ kind: "test.end", unit, outcome });
const kindsOf = (records: Parameters<typeof checkUnits>[1]["entries"][number]["record"][]) =>
  checkUnits("tester", logOf(records), idle).map(({ kind }) => kind);

const anySession = fc
  .tuple(fc.constantFrom(...NAMES), fc.integer({ min: 1, max: 160 }), fc.infiniteStream(fc.nat()))
  .map(([name, stepsMax, numbers]) => {
    return randomSession(name, stepsMax, (below) => (numbers.next().value ?? 0) % below);
  });

test("no history that roles can produce has a unit or a range out of order", { timeout }, () => {
  fc.assert(
    fc.property(anySession, ({ builder, reviewer, tester }) => {
      const [first] = builder.flatMap((record) =>
        record.kind === "build.end" ? record.milestones : [],
      );
      const alive = { isLive: true, isOver: false };
      const issues = [
        ...checkUnits("builder", logOf(builder), alive),
        ...checkUnits("reviewer", logOf(reviewer), alive),
        ...checkUnits("tester", logOf(tester), alive),
        ...checkRanges(logOf(builder), first?.start ?? ""),
      ];
      // The explored worlds omit most begins, because only their own role reads them.
      expect(issues.filter(({ kind }) => kind !== "unit-without-begin")).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test("a unit may start again after an interruption and after a question", () => {
  expect(kindsOf([begin("a"), begin("a"), end("a", "needs_input"), begin("a"), end("a")])).toEqual(
    [],
  );
});

test("after a recovery that found nothing, another unit may come first", () => {
  const recover = { kind: "unit.recover", unit: "a", found: "nothing" };
  expect(kindsOf([begin("a"), recover, begin("b"), end("b")])).toEqual([]);
});
