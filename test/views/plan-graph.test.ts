import { expect, test } from "vitest";
import { planGraph } from "../../src/views/plan/plan-graph.ts";
import type { PlanView } from "../../src/views/plan/plan-view.ts";

type Shown = Pick<PlanView["milestones"][number], "name" | "state">;

function graphOf(...milestones: readonly Shown[]): readonly string[] {
  const tasks = [{ text: "Say hello", steps: [], ticked: false }];
  const view: PlanView = {
    ...{ schema: "wisp.plan/1", session: "a", status: "waiting", sha256: "0".repeat(64) },
    ...{ dropped: [], remarks: [], tasksLeft: milestones.length },
    milestones: milestones.map((one) => ({ ...one, tasks })),
    estimate: { costUsd: undefined, durationMs: undefined },
  };
  return planGraph(view).split("\n");
}

test("the graph of a plan has a box for each milestone, in order, and fits 80 columns with ordinary names", () => {
  const name = "Read orders from a file of comma-separated values";
  const lines = graphOf({ name: "Begin", state: "done" }, { name, state: "new" });
  expect(lines).toEqual([
    "flowchart TD",
    '  m1["Begin<br>1 task"]',
    "  class m1 done",
    '  m2["Read orders from a file of comma-separated<br>values<br>1 task"]',
    "  m1 --> m2",
    "  classDef done opacity:0.5",
  ]);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("a hostile name stays text in the graph, however long it is", () => {
  const [, node = ""] = graphOf({ name: '"]; click m1 "javascript:x" <b>', state: "open" });
  expect(node).toMatch(/^ {2}m1\["[^"<>]*(?:<br>[^"<>]*)*<br>1 task"\]$/u);
  const [, long = ""] = graphOf({ name: "word ".repeat(39).trim(), state: "open" });
  expect(Math.max(...long.split("<br>").map((line) => line.length))).toBeLessThanOrEqual(54);
});
