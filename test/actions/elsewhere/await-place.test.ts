import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { awaitPlace, PlaceDown, PlaceWaits } from "../../../src/actions/elsewhere/await-place.ts";
import { attempted } from "../../../src/base/fatal.ts";
import { PLACE_DOWN_MS_MAX, PLACE_LOOK_MS } from "../../../src/base/limits.ts";
import type { Executor, PlaceState } from "../../../src/base/ports/executor.ts";
import { fail, ok } from "../../../src/base/result.ts";
import { commandExecutor } from "../../../src/executors/command/command-executor.ts";
import { executorHost } from "../../executors/executor-host.ts";

/** An executor of a person's own whose places are never reached. */
function ownExecutor(): Executor {
  const folder = mkdtempSync(join(tmpdir(), "wisp-await-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return commandExecutor(executorHost(), {
    name: "own",
    create: ["printf", "%s", JSON.stringify({ id: "p", root: folder })],
    exec: ["sh", "-c", "echo no route to it >&2; exit 1"],
    destroy: ["true"],
  });
}

/** Waits for a place of an executor in time that passes by itself; what was told, how it ended, and how long it took. */
async function waited(executor: Executor, { isPatient = true, sleepMs = PLACE_LOOK_MS } = {}) {
  let nowMs = 0;
  const told: string[] = [];
  const clock = {
    nowMs: () => nowMs,
    sleep: () => {
      nowMs += sleepMs;
      return Promise.resolve();
    },
  };
  const world = { host: { clock }, tell: (text: string) => void told.push(text) };
  const ended = await attempted(() => awaitPlace(world, executor, { key: "k", isPatient }));
  return { told, ended, nowMs };
}

test("a place of an executor of one's own whose exec always fails is given up with the reason, within its limit", async () => {
  const executor = ownExecutor();
  const { told, ended, nowMs } = await waited(executor, { sleepMs: PLACE_DOWN_MS_MAX / 4 });
  expect(told).toEqual(["Waiting for own: no route to it"]);
  const down = PlaceDown({ executor: "own", place: "p", reason: "no route to it" });
  expect(ended).toEqual(fail(down));
  expect(down.words()[0]).toBe("No command runs at the place p on own: no route to it.");
  expect(nowMs).toBe(PLACE_DOWN_MS_MAX);
  const hurried = await waited(executor, { isPatient: false });
  expect(hurried).toMatchObject({ ended: fail(down), told: [], nowMs: 0 });
});

test("a place that is said to be up some time is waited for as long as it takes, also when it is down in between", async () => {
  const states: PlaceState[] = [];
  const executor: Executor = { ...ownExecutor(), status: () => Promise.resolve(ok(next())) };
  const next = () => states.shift() ?? { kind: "up" as const };
  // Each is almost too long.
  const looks = PLACE_DOWN_MS_MAX / PLACE_LOOK_MS - 1;
  for (const kind of ["waiting", "down", "waiting", "waiting", "down"] as const) {
    states.push(...Array.from({ length: looks }, () => ({ kind, reason: kind })));
  }
  const { told, ended, nowMs } = await waited(executor);
  expect(ended).toMatchObject({ ok: true, value: { id: "p" } });
  const words = ["waiting", "down", "waiting", "down"];
  expect(told).toEqual(words.map((reason) => `Waiting for own: ${reason}`));
  expect(nowMs).toBe(5 * looks * PLACE_LOOK_MS);
  states.push({ kind: "waiting", reason: "a queue" });
  const hurried = await waited(executor, { isPatient: false });
  expect(hurried.ended).toEqual(fail(PlaceWaits({ executor: "own", reason: "a queue" })));
});
