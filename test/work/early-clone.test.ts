import { expect, test } from "vitest";
import type { Clone } from "../../src/base/ports/repo.ts";
import { ok } from "../../src/base/result.ts";
import type { Role } from "../../src/base/role.ts";
import { EarlyClone } from "../../src/work/early-clone.ts";
import { sha } from "../rig/records.ts";
import { fakeClone } from "../agents/fake-clone.ts";

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
  const read: string[] = [];
  const reviewers = () => {
    read.push("reviewers");
    return Promise.resolve(ok([]));
  };
  return {
    early: (role: Role = "builder") => new EarlyClone({ clone, role, reviewers }),
    clone,
    reviewers,
    calls,
    read,
    /** Opens the clone, and waits until nothing of what follows is left to do. */
    open: async () => {
      resolve({ ...fakeClone("/clone"), readAhead: () => read.push("commits") });
      await new Promise(setImmediate);
    },
    reject,
  };
}

test("a role that has nothing to do opens its clone, once", () => {
  const { early: begin, calls } = opening();
  const early = begin();
  expect(early.seen({ kind: "build" }, sha(1))).toEqual({ kind: "build" });
  expect(calls).toEqual([]);
  for (let count = 0; count < 3; count++) early.seen({ kind: "wait" }, sha(1));
  expect(calls).toEqual([0]);
});

test("the planner opens its clone as soon as it has work, once", () => {
  const { early: begin, calls } = opening();
  const early = begin("planner");
  early.seen({ kind: "plan" }, sha(1));
  expect(calls).toEqual([0]);
  for (const kind of ["plan", "wait", "plan"]) early.seen({ kind }, sha(1));
  expect(calls).toEqual([0]);
});

test("a role's end waits for a clone that is being created", async () => {
  const { early: begin, open } = opening();
  const early = begin();
  early.seen({ kind: "wait" }, sha(1));
  let isSettled = false;
  const settled = early.settled().then(() => (isSettled = true));
  await Promise.resolve();
  expect(isSettled).toBe(false);
  await open();
  await settled;
  expect(isSettled).toBe(true);
});

test("a clone that cannot be opened early does not end the role", async () => {
  const { early: begin, reject } = opening();
  const early = begin();
  early.seen({ kind: "wait" }, sha(1));
  reject(new Error("no space left"));
  await expect(early.settled()).resolves.toBeUndefined();
});

test("a role that judges commits reads what is published while it waits, once for each commit", async () => {
  const { early: begin, read, open } = opening();
  const early = begin("tester");
  early.seen({ kind: "wait" }, sha(1));
  await open();
  for (const head of [sha(2), sha(2), sha(3)]) {
    early.seen({ kind: "wait" }, head);
    await new Promise(setImmediate);
  }
  expect(read).toEqual(["commits", "commits", "commits"]);
});

test("the reviewer also reads its reviewers, once, when others have begun to publish", async () => {
  const { early: begin, read, open } = opening();
  const early = begin("reviewer");
  early.seen({ kind: "wait" }, sha(1));
  await open();
  expect(read).toEqual(["commits"]);
  for (const head of [sha(2), sha(3)]) early.seen({ kind: "wait" }, head);
  await new Promise(setImmediate);
  expect(read).toEqual(["commits", "reviewers", "commits", "commits"]);
});

test.each(["planner", "builder"] as const)("the %s reads nothing ahead", async (role) => {
  const { early: begin, read, open } = opening();
  const early = begin(role);
  early.seen({ kind: "wait" }, sha(1));
  await open();
  early.seen({ kind: "wait" }, sha(2));
  await new Promise(setImmediate);
  expect(read).toEqual([]);
});

test("nothing is read ahead beside the work of the role", async () => {
  const { early: begin, read, open } = opening();
  const early = begin("tester");
  early.seen({ kind: "wait" }, sha(1));
  early.seen({ kind: "test" }, sha(2));
  await open();
  expect(read).toEqual([]);
  early.seen({ kind: "wait" }, sha(2));
  await new Promise(setImmediate);
  expect(read).toEqual(["commits"]);
});

test.each([
  [true, ["open", "rest", "rest"]],
  [false, ["rest", "rest"]],
])("a small clone (%s) is opened early; after each unit, clones may be removed", (isSmall, all) => {
  const calls: string[] = [];
  const early = new EarlyClone({
    role: "builder",
    reviewers: () => Promise.resolve(ok([])),
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
    early.seen({ kind }, sha(1));
  }
  expect(calls).toEqual(all);
});

test("nothing is read ahead into a large clone, which may be removed at any wait", async () => {
  const { calls, read, reviewers, clone } = opening();
  const waiting = { opensEarly: () => false, rest: () => Promise.resolve() };
  const early = new EarlyClone({ clone, role: "tester", reviewers, waiting });
  early.seen({ kind: "wait" }, sha(1));
  early.seen({ kind: "test" }, sha(2));
  early.seen({ kind: "wait" }, sha(2));
  await early.settled();
  expect([calls, read]).toEqual([[], []]);
});
