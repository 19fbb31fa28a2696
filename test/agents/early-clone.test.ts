import { expect, test } from "vitest";
import type { Clone } from "../../src/base/ports/repo.ts";
import { EarlyClone } from "../../src/agents/work/early-clone.ts";
import { fakeClone } from "./fake-clone.ts";

/** A clone that is opened when the test says so; counts the calls. */
function opening() {
  const calls: number[] = [];
  let resolve: (clone: Clone) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<Clone>((onClone, onError) => {
    resolve = onClone;
    reject = onError;
  });
  const clone = (lane = 0) => {
    calls.push(lane);
    return promise;
  };
  return { early: new EarlyClone({ clone }), calls, resolve, reject };
}

test("a role that has nothing to do opens its clone, once", () => {
  const { early, calls } = opening();
  expect(early.seen({ kind: "build" })).toEqual({ kind: "build" });
  expect(calls).toEqual([]);
  for (let count = 0; count < 3; count++) early.seen({ kind: "wait" });
  expect(calls).toEqual([0]);
});

test("a role's end waits for a clone that is being created", async () => {
  const { early, resolve } = opening();
  early.seen({ kind: "wait" });
  let isSettled = false;
  const settled = early.settled().then(() => (isSettled = true));
  await Promise.resolve();
  expect(isSettled).toBe(false);
  resolve(fakeClone("/clone"));
  await settled;
  expect(isSettled).toBe(true);
});

test("a clone that cannot be opened early does not end the role", async () => {
  const { early, reject } = opening();
  early.seen({ kind: "wait" });
  reject(new Error("no space left"));
  await expect(early.settled()).resolves.toBeUndefined();
});

test.each([
  [true, ["open", "rest", "rest"]],
  [false, ["rest", "rest"]],
])("a small clone (%s) is opened early; after each unit, clones may be removed", (isSmall, all) => {
  const calls: string[] = [];
  const early = new EarlyClone({
    clone: () => {
      calls.push("open");
      return Promise.resolve(fakeClone("/clone"));
    },
    waiting: {
      opensEarly: () => isSmall,
      rest: () => {
        calls.push("rest");
        return Promise.resolve();
      },
    },
  });
  for (const kind of ["wait", "wait", "build", "wait", "wait", "fix", "build", "wait", "wait"]) {
    early.seen({ kind });
  }
  expect(calls).toEqual(all);
});
