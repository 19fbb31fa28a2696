import { beforeAll, expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import { IS_SAMPLE } from "../rig/share.ts";
import { SimBundle } from "./sim-bundle.ts";
import type { SteadyRun, WorkDone } from "./steady-run.ts";

/*
 * A long plan from its first milestone to its end. What is counted is the work of all roles together for one milestone:
 * it must not depend on how many were built before. `WISP_SIM_MILESTONES=5000` runs a longer one, and a sample a shorter
 * one. PROGRESS.txt is not in the list: whenever anybody appended to it, each role compares all of it with its copy.
 */

const MILESTONES = Number(process.env["WISP_SIM_MILESTONES"] ?? (IS_SAMPLE ? 200 : 1_000));
/** Milestones that are averaged, because hints come in varying numbers. */
const WINDOW = Math.min(100, Math.floor(MILESTONES / 4));
/** The most that a milestone at the end may cost, as a multiple of one near the start; names are longer there. */
const GROWTH_MAX = 1.1;

const plan = Array.from({ length: MILESTONES }, (_, at) => {
  return `## Milestone: M${String(at + 1)}\n\n- [ ] Do task ${String(at + 1)}\n`;
}).join("\n");
let run: SteadyRun;

beforeAll(async () => {
  await using bundle = await SimBundle.build();
  run = await bundle.simulateSteadily(plan);
  console.log(curve(run));
});

test(`a session of ${MILESTONES} milestones ends, with every milestone recorded once`, () => {
  expect(run.wrong).toBeUndefined();
  expect(run.ending).toBe("complete");
  expect(run.done).toHaveLength(MILESTONES);
});

test("the last milestones take as many events as the first: decisions, files, git, hints", () => {
  expect(growthOf(({ events }) => events)).toBeLessThan(GROWTH_MAX);
});

test("the plan is parsed at the start, and no part of it again for a milestone, of which only boxes change", () => {
  const atStart = present(run.done[0], "a milestone is built").parsedChars;
  const inAll = present(run.done.at(-1), "as is the last").parsedChars;
  expect(atStart).toBeGreaterThanOrEqual(plan.length);
  expect(inAll).toBe(atStart);
});

test.each(["builder.log", "planner.log", "reviewer.log", "tester.log"])(
  "the roles read as much of %s for the last milestones as for the first: only what is new",
  (log) => {
    expect(growthOf(({ readBytes }) => readBytes[log] ?? 0)).toBeLessThan(GROWTH_MAX);
  },
);

test.each(["TASKS.md", "plan.md", "request.md", "milestones.log", "reviewer.checkpoint"])(
  "the roles read as much of %s for the last milestones as for the first",
  (file) => {
    expect(growthOf(({ readBytes }) => readBytes[file] ?? 0)).toBeLessThan(GROWTH_MAX);
  },
);

/** The work for one milestone, averaged over a window that begins with the milestone at `from`. */
function perMilestone(of: (done: WorkDone) => number, from: number): number {
  const [before, after] = [run.done[from - 1], run.done[from + WINDOW - 1]];
  return (of(present(after, "the window is built")) - of(present(before, "as is this"))) / WINDOW;
}

/** The work for one of the last milestones as a multiple of that for one of the first, of which the very first prepare. */
function growthOf(of: (done: WorkDone) => number): number {
  const first = perMilestone(of, WINDOW);
  expect(first).toBeGreaterThan(0);
  return perMilestone(of, MILESTONES - WINDOW) / first;
}

/** The work for one milestone along the session, for people to look at. */
function curve({ done }: SteadyRun): string {
  const places = [10, 100, 500, 1_000, 2_000, 5_000].filter((place) => place <= done.length);
  return places
    .map((place) => {
      const [before, after] = [done[Math.max(0, place - 1 - WINDOW)], done[place - 1]];
      const each = (of: (done: WorkDone) => number) =>
        before && after ? (of(after) - of(before)) / Math.min(WINDOW, place - 1) : 0;
      const read = each(({ readBytes }) => Object.values(readBytes).reduce((a, b) => a + b, 0));
      const progress = each(({ readBytes }) => readBytes["PROGRESS.txt"] ?? 0);
      const words = [
        `up to milestone ${String(place)}, each: ${each(({ cpuMs }) => cpuMs).toFixed(1)} ms of CPU`,
        `${each(({ events }) => events).toFixed(0)} events`,
        `${each(({ parsedChars }) => parsedChars).toFixed(0)} characters parsed`,
        `${read.toFixed(0)} bytes read, ${progress.toFixed(0)} of them in PROGRESS.txt`,
      ];
      return words.join(", ");
    })
    .join("\n");
}
