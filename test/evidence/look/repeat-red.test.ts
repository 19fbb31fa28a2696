import { expect, test } from "vitest";
import { NARROWED_REPEATS_MAX, SUITE_REPEATS_MAX } from "../../../src/base/look-limits.ts";
import { nextRepeat } from "../../../src/evidence/look/repeat-red.ts";
import {
  settleLooks,
  type Settled,
  type SuiteLook,
} from "../../../src/evidence/look/settle-looks.ts";
import type { NarrowedTests } from "../../../src/evidence/narrow/judge-narrowed.ts";

const GREEN: SuiteLook = { verdict: "green" };
const red = (...failing: readonly string[]): SuiteLook => ({ verdict: "red", failing });
const UNNAMED: SuiteLook = { verdict: "red", failing: undefined };
const UNKNOWN: SuiteLook = { verdict: "unknown", cause: "signal", reason: "was ended by SIGKILL" };
const failed = (...names: readonly string[]) => ({ passed: [], failed: names, unsaid: [] });
const passed = (...names: readonly string[]) => ({ passed: names, failed: [], unsaid: [] });
const unsaid = (...names: readonly string[]) => ({ passed: [], failed: [], unsaid: names });

function settled(looks: readonly SuiteLook[], runs: readonly NarrowedTests[]): Settled {
  return settleLooks(looks, true, { canNarrow: true, runs });
}

test("what failed is run alone until it passes: no more than the limit says, and only what has not passed", () => {
  const looks = [red("a", "b")];
  expect(settled(looks, [])).toEqual({ kind: "again", only: ["a", "b"] });
  const runs = [{ passed: ["a"], failed: ["b"], unsaid: [] }];
  expect(settled(looks, runs)).toEqual({ kind: "again", only: ["b"] });
  const all = Array.from({ length: NARROWED_REPEATS_MAX }, () => failed("a", "b"));
  expect(settled(looks, all.slice(1))).toEqual({ kind: "again", only: ["a", "b"] });
  expect(settled(looks, all)).toMatchObject({ kind: "red", failing: ["a", "b"], company: [] });
});

test("what passed alone is run once more in the whole, which decides", () => {
  expect(settled([red("a")], [passed("a")])).toEqual({ kind: "again" });
  expect(settled([red("a"), GREEN], [passed("a")])).toMatchObject({ kind: "green", split: ["a"] });
});

test("a test that passes alone and fails in the whole twice more is red: it fails only in company", () => {
  const runs = [passed("a", "b")];
  // One that fails by chance in one run of five would be blamed in one of 25.
  expect(settled([red("a", "b"), red("a")], runs)).toEqual({ kind: "again" });
  expect(settled([red("a"), red("a"), GREEN], runs)).toMatchObject({ kind: "green" });
  expect(settled([red("a", "b"), red("a"), red("a")], runs)).toEqual({
    kind: "red",
    failing: ["a"],
    split: ["b"],
    company: ["a"],
  });
});

test("what passed alone is no licence if the whole is red by something else", () => {
  const runs = [passed("a")];
  expect(settled([red("a"), red("b")], runs)).toEqual({ kind: "again" });
  expect(settled([red("a"), UNNAMED, UNNAMED], runs)).toMatchObject({ kind: "unknown" });
});

test("a run that does not say what became of a test is followed by the whole suite, as without it", () => {
  expect(settled([red("a")], [unsaid("a")])).toEqual({ kind: "again" });
  expect(settled([red("a"), red("a")], [unsaid("a")])).toEqual({ kind: "again" });
  expect(settled([red("a"), red("a"), red("a")], [unsaid("a")])).toMatchObject({
    kind: "red",
    failing: ["a"],
  });
});

test("without names, or a runner that can be narrowed, the whole suite is repeated", () => {
  expect(settled([UNNAMED], [])).toEqual({ kind: "again" });
  expect(nextRepeat([["a"]], { canNarrow: false, runs: [] })).toBe("whole");
});

test("an attempt that is not the last gets a red at once, whatever could be narrowed", () => {
  const narrowed = { canNarrow: true, runs: [] };
  expect(settleLooks([red("a")], false, narrowed)).toMatchObject({ kind: "red" });
});

type Taken = readonly [looks: readonly SuiteLook[], runs: readonly NarrowedTests[]];

/** All sequences of looks that the rules ask for, whole and narrowed. */
function* sequences(): Generator<readonly [Taken, Settled]> {
  const kinds = [GREEN, UNKNOWN, UNNAMED, red("a"), red("b"), red("a", "b")];
  const open: Taken[] = [[[], []]];
  for (let taken = open.pop(); taken !== undefined; taken = open.pop()) {
    const [looks, runs] = taken;
    const next = settled(looks, runs);
    if (next.kind !== "again") yield [taken, next];
    else if (next.only === undefined) for (const look of kinds) open.push([[...looks, look], runs]);
    else for (const run of outcomes(next.only)) open.push([looks, [...runs, run]]);
  }
}

function outcomes(names: readonly string[]): readonly NarrowedTests[] {
  const ways = ["passed", "failed", "unsaid"] as const;
  return names.reduce<readonly NarrowedTests[]>(
    (all, name) =>
      all.flatMap((run) => ways.map((way) => ({ ...run, [way]: [...run[way], name] }))),
    [passed()],
  );
}

test("every sequence of looks ends, within its limits, and by the rules", () => {
  let count = 0;
  for (const [[looks, runs], end] of sequences()) {
    count++;
    const reds = looks.flatMap((look) => (look.verdict === "red" ? [look.failing] : []));
    expect(reds.length).toBeLessThanOrEqual(1 + SUITE_REPEATS_MAX);
    expect(runs.length).toBeLessThanOrEqual(NARROWED_REPEATS_MAX);
    // Only a green look at the whole makes it green, never one at some tests.
    expect(end.kind === "green").toBe(looks.at(-1)?.verdict === "green");
    if (end.kind !== "red") continue;
    const alone = runs.flatMap((run) => run.passed);
    const named = reds.flatMap((failing) => (failing === undefined ? [] : [failing]));
    for (const name of end.failing ?? []) {
      expect(named.every((failing) => failing.includes(name))).toBe(true);
      // It failed in all runs of its own, or in two of the whole.
      const isConfirmed = named.length > 1 || !alone.includes(name);
      expect([looks, runs, isConfirmed]).toEqual([looks, runs, true]);
      expect(end.company.includes(name)).toBe(alone.includes(name));
    }
    // One look at the whole is enough only if nothing in it ever passed.
    if (reds.length === 1) {
      expect([alone, runs.length]).toEqual([[], NARROWED_REPEATS_MAX]);
      expect(runs.flatMap((run) => run.unsaid)).toEqual([]);
    }
    expect(end.split.some((name) => end.failing?.includes(name))).toBe(false);
  }
  expect(count).toBeGreaterThan(1_000);
});
