import { Subject } from "rxjs";
import { expect, test } from "vitest";
import type { WatchHint } from "../../../src/base/ports/watcher.ts";
import { watchSplits } from "../../../src/agents/builder/watch-splits.ts";
import { sha } from "../../rig/records.ts";
import { settle } from "../../rig/virtual-time.ts";

const FILE = "/state/builder/tasks/TASKS.md";

/** A turn whose copy of TASKS.md and whose HEAD a test moves by hand. */
function turn() {
  const hint$ = new Subject<WatchHint>();
  const now = { complete: new Array<string>(), head: sha(0), looks: 0 };
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const seen = watchSplits(
    hint$,
    FILE,
    async () => {
      now.looks++;
      return { complete: [...now.complete], head: now.head };
    },
    ended,
  );
  const hint = async (path = FILE) => {
    hint$.next({ path });
    await settle();
  };
  return { now, hint, seen, hint$, end: () => end() };
}

test("a milestone keeps the HEAD at which it was first seen complete", async () => {
  const { now, hint, seen, end } = turn();
  await hint();
  Object.assign(now, { complete: ["One"], head: sha(1) });
  await hint();
  Object.assign(now, { complete: ["One", "Two"], head: sha(2) });
  await hint();
  Object.assign(now, { head: sha(3) });
  await hint();
  end();
  expect([...(await seen)]).toEqual([
    ["One", sha(1)],
    ["Two", sha(2)],
  ]);
});

test("events in other folders do not make it read the clone", async () => {
  const { now, hint, seen, end } = turn();
  await hint("/session/logs/builder.log");
  end();
  await seen;
  expect(now.looks).toBe(0);
});

test("a turn that ends before any event has seen nothing", async () => {
  const { seen, end } = turn();
  end();
  expect((await seen).size).toBe(0);
});

test("a watcher that ends early loses nothing of what was seen", async () => {
  const { now, hint, hint$, seen } = turn();
  Object.assign(now, { complete: ["One"], head: sha(1) });
  await hint();
  hint$.complete();
  expect([...(await seen)]).toEqual([["One", sha(1)]]);
});

test("a reading that fails to read HEAD is ignored", async () => {
  const hint$ = new Subject<WatchHint>();
  const ended = settle();
  const seen = watchSplits(hint$, FILE, async () => undefined, ended);
  hint$.next({ path: FILE });
  expect((await seen).size).toBe(0);
});
