import {
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { need } from "../../src/base/fatal.ts";
import { ok } from "../../src/base/result.ts";
import { holderPathOf } from "../../src/base/ports/locks.ts";
import { Leases } from "../../src/host/locks/leases.ts";
import { createNodeFiles } from "../../src/host/files/node-files.ts";
import { createNodeLocks } from "../../src/host/locks/node-locks.ts";
import { systemClock } from "../../src/host/system/system-clock.ts";
import { type Child, startFixture } from "./child.ts";
import { survivorsOf } from "./processes-of.ts";
import { scratch } from "./scratch.ts";
import { eventually } from "../rig/patience.ts";

const files = createNodeFiles();

const DAY_MS = 24 * 60 * 60 * 1000;

describe.each([
  ["a lock of the kernel", "flock"],
  ["the fallback without flock(1)", "no-such-flock"],
])("with %s", (_kind, flockCommand) => {
  const locks = createNodeLocks({ files, clock: systemClock, flockCommand });

  /** A process of its own that has taken the lease. */
  async function holderOf(path: string, ...more: readonly string[]): Promise<Child> {
    const holder = startFixture("hold-lease.js", path, flockCommand, ...more);
    expect(await holder.said).toContain('"ok":true');
    return holder;
  }

  test("a second process learns who holds the lease", async () => {
    using directory = scratch();
    const path = directory.at("builder.lock");
    using holder = await holderOf(path);
    const taken = await locks.takeLease(path);
    expect(taken).toMatchObject({
      ok: false,
      failure: { kind: "lease-held", path, holder: { pid: holder.pid } },
    });
    expect(await locks.isLeaseHeld(path)).toBe(true);
  });

  test("a killed holder's lease can be taken, and its lock file is no obstacle", async () => {
    using directory = scratch();
    const path = directory.at("builder.lock");
    using holder = await holderOf(path);
    holder.kill("SIGKILL");
    await holder.ended;
    await using lease = await eventually(async () => {
      const taken = await locks.takeLease(path);
      return taken.ok ? taken.value : expect.unreachable("it is still held");
    });
    expect(await locks.isLeaseHeld(path)).toBe(true);
    await lease.release();
    expect(await locks.isLeaseHeld(path)).toBe(false);
  });

  test("a lease tells whether its last holder released it or was killed", async () => {
    using directory = scratch();
    const path = directory.at("builder.lock");
    const abandoned: boolean[] = [];
    const take = () =>
      eventually(async () => {
        const taken = await locks.takeLease(path);
        if (!taken.ok) expect.unreachable("it is still held");
        else abandoned.push(taken.value.wasAbandoned);
        return need(taken);
      });
    for (let round = 0; round < 2; round++) await (await take()).release();
    using holder = await holderOf(path);
    holder.kill("SIGKILL");
    await holder.ended;
    for (let round = 0; round < 2; round++) await (await take()).release();
    expect(abandoned).toEqual([false, false, true, false]);
  });

  test("the lease of a killed holder counts as free", async () => {
    using directory = scratch();
    const path = directory.at("builder.lock");
    using holder = await holderOf(path);
    holder.kill("SIGKILL");
    await eventually(async () => expect(await locks.isLeaseHeld(path)).toBe(false));
  });

  test("a stopped holder keeps its lease", async () => {
    using directory = scratch();
    const path = directory.at("builder.lock");
    using holder = await holderOf(path);
    holder.kill("SIGSTOP");
    expect(await locks.isLeaseHeld(path)).toBe(true);
    expect(await locks.takeLease(path)).toMatchObject({ failure: { kind: "lease-held" } });
  });

  test("a process whose clock is a day off gets no lease that another holds", async () => {
    using directory = scratch();
    const path = directory.at("builder.lock");
    using holder = await holderOf(path);
    holder.kill("SIGSTOP");
    for (const wrongMs of [-DAY_MS, DAY_MS]) {
      const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + wrongMs };
      const others = createNodeLocks({ files, clock, flockCommand });
      expect(await others.takeLease(path)).toMatchObject({
        failure: { kind: "lease-held", holder: { pid: holder.pid } },
      });
    }
  });

  test("a program that the holder started does not keep the lease", async () => {
    using directory = scratch();
    const path = directory.at("builder.lock");
    using holder = await holderOf(path, "sleep");
    const child = Number(/"child":(\d+)/.exec(await holder.said)?.[1]);
    holder.kill("SIGKILL");
    await eventually(async () => expect(await locks.isLeaseHeld(path)).toBe(false));
    expect(survivorsOf([child])).toEqual([child]);
  });

  test("a released lease can be taken again, by the same process too", async () => {
    using directory = scratch();
    const path = directory.at("builder.lock");
    for (let round = 0; round < 3; round++) {
      const taken = await locks.takeLease(path);
      expect(taken.ok).toBe(true);
      expect(await locks.takeLease(path)).toMatchObject({
        failure: { holder: { pid: process.pid } },
      });
      if (taken.ok) await taken.value.release();
      if (taken.ok) await taken.value.release();
    }
    expect(files.read(`${path}.json`)).toEqual({ ok: true, value: undefined });
  });

  test("a holder whose lock file was removed takes the lease again", async () => {
    using directory = scratch();
    const path = directory.at("locks/builder.lock");
    files.makeDirectory(directory.at("locks"));
    await using lease = need(await locks.takeLease(path));
    rmSync(directory.at("locks"), { recursive: true });
    expect(await lease.keep()).toMatchObject({ failure: { kind: "file", errno: "ENOENT" } });
    expect(await locks.isLeaseHeld(path)).toBe(false);
    files.makeDirectory(directory.at("locks"));
    const kept = await Promise.all([lease.keep(), lease.keep()]);
    expect(kept).toEqual([ok(undefined), ok(undefined)]);
    expect(await locks.isLeaseHeld(path)).toBe(true);
    expect(await locks.takeLease(path)).toMatchObject({
      failure: { holder: { pid: process.pid } },
    });
    await lease.release();
    expect(await locks.isLeaseHeld(path)).toBe(false);
    await need(await locks.takeLease(path)).release();
  });

  test("a holder keeps its lease as it is while its lock file is in place", async () => {
    using directory = scratch();
    const path = directory.at("builder.lock");
    await using lease = need(await locks.takeLease(path));
    const before = treeAt(directory.path);
    expect(await lease.keep()).toEqual(ok(undefined));
    expect(treeAt(directory.path)).toEqual(before);
  });

  test("a holder whose lock file was removed loses the lease to a process that has taken it since", async () => {
    using directory = scratch();
    const path = directory.at("builder.lock");
    const lease = need(await locks.takeLease(path));
    for (const name of readdirSync(directory.path)) rmSync(directory.at(name));
    using holder = await holderOf(path);
    expect(await lease.keep()).toEqual(ok(undefined));
    await lease.lost;
    await lease.release();
    expect(await locks.takeLease(path)).toMatchObject({ failure: { holder: { pid: holder.pid } } });
    expect(JSON.parse(readFileSync(holderPathOf(path), "utf8"))).toMatchObject({ pid: holder.pid });
  });

  test("only one of many contenders gets it", async () => {
    using directory = scratch();
    const path = directory.at("builder.lock");
    const taken = await Promise.all(Array.from({ length: 8 }, () => locks.takeLease(path)));
    expect(taken.filter(({ ok }) => ok)).toHaveLength(1);
    for (const one of taken) if (one.ok) await one.value.release();
  });

  test("mere checks prevent nobody from acquiring it", async () => {
    using directory = scratch();
    const path = directory.at("builder.lock");
    writeFileSync(path, "");
    for (let round = 0; round < 10; round++) {
      const looks = Array.from({ length: 5 }, () => locks.isLeaseHeld(path));
      const taken = await locks.takeLease(path);
      expect(taken.ok).toBe(true);
      await Promise.all(looks);
      if (taken.ok) await taken.value.release();
    }
  });

  test("a lease that was never acquired is free, and a check creates no file", async () => {
    using directory = scratch();
    expect(await locks.isLeaseHeld(directory.at("builder.lock"))).toBe(false);
    expect(files.list(directory.path)).toEqual({ ok: true, value: [] });
  });

  test("an invalid holder's file changes nothing", async () => {
    using directory = scratch();
    const path = directory.at("builder.lock");
    using holder = await holderOf(path);
    expect(readFileSync(`${path}.json`, "utf8")).toContain(String(holder.pid));
    writeFileSync(`${path}.json`, '{"pid":"one"}');
    expect(await locks.isLeaseHeld(path)).toBe(true);
    expect(await locks.takeLease(path)).toMatchObject({
      failure: { kind: "lease-held", holder: undefined },
    });
  });

  test("a lease in a directory with a very long name works", async () => {
    using directory = scratch();
    const deep = directory.at("d".repeat(200));
    files.makeDirectory(deep);
    const path = `${deep}/builder.lock`;
    using holder = await holderOf(path);
    expect(await locks.isLeaseHeld(path)).toBe(true);
    expect(await locks.takeLease(path)).toMatchObject({ failure: { holder: { pid: holder.pid } } });
  });

  test("if no lock is possible, the failure gives the reason", async () => {
    using directory = scratch();
    expect(await locks.takeLease(directory.at("none/builder.lock"))).toMatchObject({
      ok: false,
      failure: { kind: "file", errno: "ENOENT" },
    });
  });
});

/** Each entry of a directory with its inode and the time of its last change. */
function treeAt(directory: string): readonly (readonly [string, bigint, bigint])[] {
  return readdirSync(directory).map((name) => {
    const { ino, mtimeNs } = statSync(`${directory}/${name}`, { bigint: true });
    return [name, ino, mtimeNs];
  });
}

test("a lock file that is a symbolic link is refused", async () => {
  using directory = scratch();
  const locks = createNodeLocks({ files, clock: systemClock });
  const path = directory.at("builder.lock");
  symlinkSync(directory.at("victim"), path);
  expect(await locks.takeLease(path)).toMatchObject({ failure: { kind: "file", errno: "ELOOP" } });
  expect(lstatSync(directory.at("victim"), { throwIfNoEntry: false })).toBeUndefined();
});

test("a process that lost its lease leaves the next holder's file alone", async () => {
  using directory = scratch();
  const path = directory.at("builder.lock");
  let lose = () => {};
  const lost = new Promise<void>((resolve) => (lose = resolve));
  const hold = { fd: undefined, lost, isInPlace: () => true, release: () => Promise.resolve() };
  const exclusion = { take: () => Promise.resolve(ok(hold)), isHeld: () => Promise.resolve(true) };
  const taken = await new Leases({ files, clock: systemClock }, exclusion).take(path);
  const holderPath = holderPathOf(path);
  lose();
  await lost;
  writeFileSync(holderPath, "the next one");
  await need(taken).release();
  expect(readFileSync(holderPath, "utf8")).toBe("the next one");
});
