import { expect, test } from "vitest";
import fc from "fast-check";
import { completedRun, rangesOf, splitsOf } from "../../../src/agents/builder/split-milestones.ts";
import { sha } from "../../rig/records.ts";

const plan = [
  { name: "One", tasks: ["a", "b"] },
  { name: "Two", tasks: ["c"] },
  { name: "Three", tasks: ["d"] },
];
const ticks = (sets: Readonly<Record<string, readonly number[]>>) =>
  new Map(Object.entries(sets).map(([name, tasks]) => [name, new Set(tasks)]));
const names = (milestones: readonly { readonly name: string }[]) =>
  milestones.map(({ name }) => name);

test("milestones are complete from the first open one up to the first with an empty box", () => {
  expect(names(completedRun(plan, ticks({ One: [1, 2], Two: [1] })))).toEqual(["One", "Two"]);
  expect(names(completedRun(plan, ticks({ One: [1], Two: [1], Three: [1] })))).toEqual([]);
  expect(names(completedRun(plan, ticks({ One: [1, 2], Three: [1] })))).toEqual(["One"]);
});

test("after the current milestone come those that are built next, whatever their place in the plan", () => {
  const [one, two, three] = plan.map((milestone) => [milestone]);
  const order = [...(two ?? []), ...(three ?? []), ...(one ?? [])];
  expect(names(completedRun(order, ticks({ One: [1, 2], Two: [1] })))).toEqual(["Two"]);
  const all = ticks({ One: [1, 2], Two: [1], Three: [1] });
  expect(names(completedRun(order, all))).toEqual(["Two", "Three", "One"]);
});

const commits = [sha(1), sha(2), sha(3)];

test("each milestone ends at the HEAD that was seen when its last box was ticked", () => {
  const seen = new Map([
    ["One", sha(1)],
    ["Two", sha(2)],
  ]);
  expect(splitsOf(plan, commits, seen)).toEqual([
    { m: "One", commits: 1 },
    { m: "Two", commits: 2 },
    { m: "Three", commits: 3 },
  ]);
});

test("a milestone that was not seen in time gets all commits, and those after it get none", () => {
  expect(splitsOf(plan, commits, new Map([["Two", sha(2)]]))).toEqual([
    { m: "One", commits: 3 },
    { m: "Two", commits: 3 },
    { m: "Three", commits: 3 },
  ]);
});

test("the last milestone ends with the unit, wherever HEAD was when it was ticked off", () => {
  expect(splitsOf(plan.slice(0, 1), commits, new Map([["One", sha(1)]]))).toEqual([
    { m: "One", commits: 3 },
  ]);
});

test("a HEAD that no longer exists, such as an amended commit, counts as not seen", () => {
  expect(splitsOf(plan.slice(0, 2), commits, new Map([["One", sha(9)]]))).toEqual([
    { m: "One", commits: 3 },
    { m: "Two", commits: 3 },
  ]);
});

test("ranges begin at the last recorded end, even if other roles published in between", () => {
  const splits = [
    { m: "One", commits: 1 },
    { m: "Two", commits: 3 },
  ];
  expect(rangesOf(splits, commits, sha(7), sha(3))).toEqual([
    { name: "One", start: sha(7), end: sha(1) },
    { name: "Two", start: sha(1), end: sha(3) },
  ]);
});

test("a milestone without commits in this unit ends at the builder's own last commit", () => {
  expect(rangesOf([{ m: "One", commits: 0 }], [], sha(0), sha(4))).toEqual([
    { name: "One", start: sha(0), end: sha(4) },
  ]);
});

test("whatever was seen, and whenever, ranges are contiguous, in order, and end with the unit", () => {
  const seenAt = fc.dictionary(
    fc.constantFrom("One", "Two", "Three"),
    fc.integer({ min: 0, max: 5 }),
  );
  fc.assert(
    fc.property(seenAt, fc.integer({ min: 1, max: 4 }), (heads, count) => {
      const made = Array.from({ length: count }, (_, index) => sha(index + 1));
      const seen = new Map(Object.entries(heads).map(([name, n]) => [name, sha(n)]));
      const splits = splitsOf(plan, made, seen);
      const ranges = rangesOf(splits, made, sha(0), sha(count));
      expect(splits.map((split) => split.commits)).toEqual(
        splits.map((split) => split.commits).sort((one, other) => one - other),
      );
      expect(ranges[0]?.start).toBe(sha(0));
      expect(ranges.at(-1)?.end).toBe(sha(count));
      expect(ranges.slice(1).map(({ start }) => start)).toEqual(
        ranges.slice(0, -1).map(({ end }) => end),
      );
    }),
  );
});
