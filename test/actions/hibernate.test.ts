import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { releaseIdle } from "../../src/actions/up/hibernate.ts";
import { treePlace, treesDirectory } from "../../src/evidence/verify-tree/tree-place.ts";
import { HIBERNATE_MS } from "../../src/base/limits.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { leasePath, roleLog } from "../../src/fs-protocol/home/home.ts";
import { clonesDirectory } from "../../src/fs-protocol/home/session-json.ts";
import { storeBeside } from "../../src/fs-protocol/home/shared-objects.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { createHost } from "../../src/host/host.ts";
import { inProcessSession, put, type InProcessOptions } from "../rig/in-process-session.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

const AT = "2026-11-20T12:00:00.000Z";

/** A stopped session of which only a verify tree and the store of shared objects are left. */
function stoppedSession(policy: InProcessOptions["policy"] = {}) {
  const at = inProcessSession({ policy });
  const { home, session } = at;
  const place = treePlace(session, 1);
  put(place.tree, "made/by-a-run.txt", "made\n");
  writeFileSync(place.state, "{}");
  put(storeBeside(session), "whole", "");
  const stopped = encodeRecord(HumanRecord, { kind: "stop", time: AT });
  writeFileSync(home.humanLog, stopped);
  const host = createHost();
  const said: string[] = [];
  return {
    ...at,
    host,
    said,
    place,
    releaseAfter: (ms: number) => {
      const clock = { ...host.clock, nowMs: () => host.clock.nowMs() + ms };
      const env = ownEnvironment({ HOME: dirname(session.state) });
      const program = { code: "c0de", nodeVersion: process.version };
      const world = { host: { ...host, clock }, env, program };
      return releaseIdle({ ...world, tell: (text) => void said.push(text) }, [{ home, session }]);
    },
    hasTrees: () => existsSync(join(treesDirectory(session), "1")),
    hasStore: () => existsSync(storeBeside(session)),
  };
}

test("verify trees of an idle session that has no clones are removed, and with them the shared objects", async () => {
  using at = stoppedSession();
  // It names the sessions whose clones were released, and reports saved work: here are neither.
  expect(await at.releaseAfter(2 * HIBERNATE_MS)).toEqual([]);
  expect([at.hasTrees(), at.hasStore(), at.said]).toEqual([false, false, []]);
  expect(await at.releaseAfter(2 * HIBERNATE_MS)).toEqual([]);
});

test("they are released as soon as the session's own settings say, and never if these say so", async () => {
  using soon = stoppedSession({ hibernateMs: 1_000 });
  await soon.releaseAfter(60_000);
  expect(soon.hasTrees()).toBe(false);
  using never = stoppedSession({ hibernateMs: 0 });
  await never.releaseAfter(100 * HIBERNATE_MS);
  expect(never.hasTrees()).toBe(true);
});

test("verify trees stay until the session has been idle for long enough", async () => {
  using at = stoppedSession();
  await at.releaseAfter(HIBERNATE_MS / 2);
  expect([at.hasTrees(), at.hasStore()]).toEqual([true, true]);
});

test("verify trees stay while a role's lease is held, whichever role it is", async () => {
  using at = stoppedSession();
  for (const role of ["builder", "reviewer", "tester"] as const) {
    const lease = await at.host.locks.takeLease(leasePath(at.home, role));
    await at.releaseAfter(2 * HIBERNATE_MS);
    expect(at.hasTrees()).toBe(true);
    if (lease.ok) await lease.value.release();
  }
  await at.releaseAfter(2 * HIBERNATE_MS);
  expect(at.hasTrees()).toBe(false);
});

test("verify trees stay if a unit is unfinished, or nobody ended or stopped the session", async () => {
  using unfinished = stoppedSession();
  const begun = { kind: "unit.begin", time: AT, unit: "build:One:1" } as const;
  writeFileSync(roleLog(unfinished.home, "builder"), encodeRecord(BuilderRecord, begun));
  using interrupted = stoppedSession();
  writeFileSync(interrupted.home.humanLog, "");
  for (const at of [unfinished, interrupted]) {
    await at.releaseAfter(2 * HIBERNATE_MS);
    expect(at.hasTrees()).toBe(true);
  }
});

test.each(["clone", "clone.making-0123456789ab", "tree"])(
  "the shared objects stay for another session that has a %s",
  async (name) => {
    using at = stoppedSession();
    const state = join(dirname(at.session.state), "other");
    const above =
      name === "tree" ? join(state, "verify", "1") : clonesDirectory({ state }, "tester");
    mkdirSync(join(above, name), { recursive: true });
    await at.releaseAfter(2 * HIBERNATE_MS);
    expect([at.hasTrees(), at.hasStore()]).toEqual([false, true]);
  },
);
