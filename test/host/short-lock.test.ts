import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createNodeFiles } from "../../src/host/node-files.ts";
import { createNodeLocks } from "../../src/host/node-locks.ts";
import { systemClock } from "../../src/host/system-clock.ts";
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

test("a mistake in the critical section is thrown on, and the lock is given back", async () => {
  using directory = scratch();
  const path = directory.at("PROGRESS.txt");
  const mistake = () => {
    throw new RangeError("a mistake");
  };
  await expect(locks.withLock(path, mistake)).rejects.toThrow("a mistake");
  expect(await locks.withLock(path, () => "free")).toEqual({ ok: true, value: "free" });
});

test("where no lock can be, the failure says why", async () => {
  using directory = scratch();
  const path = directory.at("none/PROGRESS.txt");
  expect(await locks.withLock(path, () => 1)).toEqual({
    ok: false,
    failure: { kind: "file", operation: "create", path, errno: "ENOENT" },
  });
});
