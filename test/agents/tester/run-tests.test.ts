import { expect, test } from "vitest";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { testerMain } from "../../../src/agents/tester/main.ts";
import { runTests } from "../../../src/agents/tester/run-tests.ts";
import type { Oid } from "../../../src/base/oid.ts";
import { ok } from "../../../src/base/result.ts";
import type { TurnOutcome } from "../../../src/engines/engine.ts";
import { commit, put } from "../../rig/in-process-session.ts";
import { sha } from "../../rig/records.ts";
import { fakeClone } from "../fake-clone.ts";
import { memoryRole, stateOf } from "../memory-role.ts";
import { sessionRig } from "../role-rig.ts";
import { found, PASSED, said } from "../turns.ts";
import { testing } from "./testing.ts";

test("a turn's tests, committed or not, become one commit on the branch", async () => {
  using rig = sessionRig();
  const { perform, branch, recordsOf, asked } = await testing(rig, ({ cwd }) => {
    put(cwd, "test/a.test.js", "1\n");
    commit(cwd, "Test a");
    put(cwd, "test/b.test.js", "2\n");
    return PASSED;
  });
  await perform();
  expect(branch()).toEqual(["test: cover One"]);
  expect(rig.at.git("show", "wisp/demo:test/b.test.js")).toBe("2");
  const head = rig.at.git("rev-parse", "wisp/demo");
  expect(recordsOf("push.intent").map(({ shas }) => shas)).toEqual([[head]]);
  expect(recordsOf("test.end")).toHaveLength(1);
  expect(recordsOf("test.end")[0]).toMatchObject({ m: "One", outcome: "tested", commits: [head] });
  expect(asked[0]?.prompt).toContain("- src/a.js");
});

test("work outside the test paths is refused as a whole, and saved", async () => {
  using rig = sessionRig();
  const { perform, branch, recordsOf, notes } = await testing(rig, ({ cwd }) => {
    put(cwd, "test/a.test.js", "1\n");
    put(cwd, "src/a.js", "export const a = 2;\n");
    return found("Bug", "src/a.js:1", "grep -q 2 src/a.js");
  });
  await perform();
  expect(branch()).toEqual([]);
  expect(notes()).toHaveLength(1);
  expect(notes()[0]).toContain("refused");
  expect(notes()[0]).toContain("src/a.js");
  const rescue = /refs\/wisp\/rescue\/\S+?(?=[:)\s]|$)/.exec(notes()[0] ?? "")?.[0] ?? "";
  expect(rig.at.git("show", `${rescue}:src/a.js`)).toContain("a = 2");
  // The bugs count, even if the turn's work is refused.
  expect(recordsOf("test.end")[0]?.bugs).toHaveLength(1);
  expect(recordsOf("test.end")[0]?.commits).toEqual([]);
});

test("moving a source file among the tests counts as a change of the source", async () => {
  using rig = sessionRig();
  const { perform, branch, notes } = await testing(rig, ({ cwd }) => {
    mkdirSync(join(cwd, "test"));
    renameSync(join(cwd, "src/a.js"), join(cwd, "test/a.js"));
    return PASSED;
  });
  await perform();
  expect(branch()).toEqual([]);
  expect(notes()[0]).toContain("src/a.js");
});

test("tests that were published before an interruption are kept, and not committed twice", async () => {
  using rig = sessionRig();
  let turn = 0;
  const { step, branch, recordsOf, context, asked } = await testing(rig, ({ cwd }) => {
    turn++;
    put(cwd, `test/${turn}.test.js`, "1\n");
    return PASSED;
  });
  // The process dies when the tests are on the branch, but the end is not recorded yet.
  const { journal } = context;
  const dying: typeof context = {
    ...context,
    journal: {
      ...context.journal,
      append: (...records) => {
        if (records.some(({ kind }) => kind === "push.done")) throw new Error("killed");
        journal.append(...records);
      },
    },
  };
  const state = await rig.at.state();
  await expect(testerMain(dying).perform(step, state)).rejects.toThrow("killed");
  const kept = rig.at.git("rev-parse", "wisp/demo");
  const main = testerMain(context);
  await main.perform({ kind: "recover", unit: step.unit }, await rig.at.state());
  expect(branch()).toEqual(["test: cover One"]);
  expect(rig.at.git("rev-parse", "wisp/demo")).toBe(kept);
  expect(recordsOf("test.end").map(({ commits }) => commits)).toEqual([[kept]]);
  expect(asked).toHaveLength(2);
  expect(existsSync(join(asked[1]?.cwd ?? "", "test/1.test.js"))).toBe(true);
});

/** A tester with a fake clone and model. */
function memoryTester(turns: readonly TurnOutcome[], made?: Oid) {
  let turn = 0;
  const saved: number[] = [];
  const clone = fakeClone("/state/demo/tester/clone", {
    squashSince: async () => ok(made),
    rescueAndReset: async () => {
      saved.push(turn);
      return ok({ rescue: undefined });
    },
  });
  const role = memoryRole("tester", () => turns[turn++] ?? PASSED, { clone });
  const milestone = { name: "One", start: sha(0), end: sha(1) };
  const step = { kind: "test", milestone, unit: "test:One:x", reopens: 0 } as const;
  const run = (kept: readonly Oid[] = []) => runTests(role.context, stateOf(), step, kept);
  return { ...role, run, saved, clone };
}

test("a milestone without commits ends at once, without a turn", async () => {
  const role = memoryRole("tester", () => PASSED);
  const milestone = { name: "One", start: sha(1), end: sha(1) };
  const step = { kind: "test", milestone, unit: `test:One:${sha(1)}`, reopens: 0 } as const;
  await testerMain(role.context).perform(step, stateOf());
  expect(role.recordsOf("test.end")).toMatchObject([{ m: "One", outcome: "skipped", bugs: [] }]);
  expect(role.recordsOf("unit.begin")).toEqual([]);
  expect(role.asked).toEqual([]);
});

test("output that does not parse fails the attempt, and its work is saved before the next", async () => {
  const { run, saved, asked, recordsOf } = memoryTester([said("fine"), said("fine"), PASSED]);
  expect((await run()).kind).toBe("done");
  expect(asked.map(({ attempt, ask }) => [attempt, ask])).toEqual([
    [1, 1],
    [1, 2],
    [2, 1],
  ]);
  expect(recordsOf("attempt.failed")[0]?.reason).toContain("its output could not be read");
  expect(saved).toEqual([0, 2]);
});

test("a turn without new tests publishes nothing", async () => {
  const { run, recordsOf } = memoryTester([PASSED]);
  expect(await run()).toEqual({
    kind: "done",
    value: { bugs: [], refused: [], commits: [], at: sha(1) },
  });
  expect(recordsOf("push.intent")).toEqual([]);
});

test("after publishing its tests before an interruption, a unit tests their HEAD and drops further work", async () => {
  const { run, clone, recordsOf } = memoryTester([PASSED], sha(9));
  expect(await run([sha(4), sha(5)])).toEqual({
    kind: "done",
    value: { bugs: [], refused: [], commits: [sha(4), sha(5)], at: sha(5) },
  });
  expect(recordsOf("push.intent")).toEqual([]);
  expect(clone.synced.at(-1)).toBe(sha(5));
});

test("a tester that crashes three times gives up", async () => {
  const crash: TurnOutcome = { kind: "failed", reason: "exit 1" };
  const { run, ports } = memoryTester([crash, crash, crash]);
  expect(await run()).toEqual({ kind: "gaveup", reason: "exit 1" });
  expect(ports.clock.sleptMs).toEqual([250, 500]);
});
