import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { expect, test } from "vitest";
import { createNodeFiles } from "../../src/host/files/node-files.ts";
import { createNodeLocks } from "../../src/host/locks/node-locks.ts";
import { systemClock } from "../../src/host/system/system-clock.ts";
import { ownMark } from "../../src/host/processes/process-mark.ts";
import { startFixture } from "./child.ts";
import { scratch } from "./scratch.ts";

const files = createNodeFiles();
const locks = createNodeLocks({ files, clock: systemClock });

test("no update is lost between processes that hold the lock in turn", async () => {
  using directory = scratch();
  const path = directory.at("count");
  writeFileSync(path, "0");
  const counters = [1, 2, 3].map(() => startFixture("count-under-lock.js", path, "100"));
  await Promise.all(counters.map((counter) => counter.ended));
  expect(readFileSync(path, "utf8")).toBe("300");
});

test("the value of the critical section is the value", async () => {
  using directory = scratch();
  const ran = await locks.withLock(directory.at("PROGRESS.txt"), () => 42);
  expect(ran).toEqual({ ok: true, value: 42 });
  expect(files.list(directory.path)).toEqual({ ok: true, value: [] });
});

test("a lock that a killed process left long ago is taken over", async () => {
  using directory = scratch();
  const path = directory.at("PROGRESS.txt");
  const minuteAgo = systemClock.nowMs() / 1000 - 60;
  mkdirSync(`${path}.lock`);
  utimesSync(`${path}.lock`, minuteAgo, minuteAgo);
  expect(await locks.withLock(path, () => "mine")).toEqual({ ok: true, value: "mine" });
});

test("an error in the critical section is rethrown, and the lock is released", async () => {
  using directory = scratch();
  const path = directory.at("PROGRESS.txt");
  const mistake = () => {
    throw new RangeError("a mistake");
  };
  await expect(locks.withLock(path, mistake)).rejects.toThrow("a mistake");
  expect(await locks.withLock(path, () => "free")).toEqual({ ok: true, value: "free" });
});

test("if no lock is possible, the failure gives the reason", async () => {
  using directory = scratch();
  const path = directory.at("none/PROGRESS.txt");
  expect(await locks.withLock(path, () => 1)).toEqual({
    ok: false,
    failure: { kind: "file", operation: "create", path, errno: "ENOENT" },
  });
});

/** Much earlier than a lock with an unknown holder counts as abandoned. */
const AT_ONCE_MS = 10_000;

test("a lock whose holder was killed is free at once, to one of those who wait", async () => {
  using directory = scratch();
  const path = directory.at("count");
  writeFileSync(path, "0");
  using holder = startFixture("hold-short-lock.js", path);
  expect(await holder.said).toBe("held");
  const counters = [1, 2, 3].map(() => startFixture("count-under-lock.js", path, "20"));
  holder.kill("SIGKILL");
  const sinceMs = performance.now();
  await Promise.all(counters.map((counter) => counter.ended));
  expect(readFileSync(path, "utf8")).toBe("60");
  expect(performance.now() - sinceMs).toBeLessThan(AT_ONCE_MS);
  expect(readdirSync(directory.path)).toEqual(["count"]);
});

test("a stopped holder keeps its lock, and so does one that is not recorded", async () => {
  using directory = scratch();
  const path = directory.at("PROGRESS.txt");
  using holder = startFixture("hold-short-lock.js", path);
  await holder.said;
  holder.kill("SIGSTOP");
  using waiter = startFixture("count-under-lock.js", path, "1");
  expect(await endedWithin(waiter.ended, 1_000)).toBe(false);
  unlinkSync(`${path}.lock.holder`);
  expect(await endedWithin(waiter.ended, 1_000)).toBe(false);
});

test("the record of a dead holder does not affect a later holder's lock", async () => {
  using directory = scratch();
  const path = directory.at("PROGRESS.txt");
  using holder = startFixture("hold-short-lock.js", path);
  await holder.said;
  const note = readlinkSync(`${path}.lock.holder`);
  holder.kill("SIGKILL");
  await holder.ended;
  // A program in another language took over the lock, and leaves no record of its holder.
  rmdirSync(`${path}.lock`);
  mkdirSync(`${path}.lock`);
  using waiter = startFixture("count-under-lock.js", path, "1");
  expect(await endedWithin(waiter.ended, 1_000)).toBe(false);
  expect(readlinkSync(`${path}.lock.holder`)).toBe(note);
});

test("a holder in another pid namespace does not count as dead", async () => {
  using directory = scratch();
  const path = directory.at("PROGRESS.txt");
  using holder = startFixture("hold-short-lock.js", path);
  await holder.said;
  const note: unknown = JSON.parse(readlinkSync(`${path}.lock.holder`));
  holder.kill("SIGKILL");
  await holder.ended;
  expect(note).toMatchObject({ space: ownMark().space });
  unlinkSync(`${path}.lock.holder`);
  symlinkSync(JSON.stringify({ ...Object(note), space: "elsewhere" }), `${path}.lock.holder`);
  using waiter = startFixture("count-under-lock.js", path, "1");
  expect(await endedWithin(waiter.ended, 1_000)).toBe(false);
  expect(existsSync(`${path}.lock`)).toBe(true);
});

/** Whether something that must not happen happened within a while. */
function endedWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  return Promise.race([ended.then(() => true), systemClock.sleep(ms).then(() => false)]);
}
