import { appendFileSync } from "node:fs";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { GitFailure } from "../../src/base/ports/repo.ts";
import { expect, test, vi } from "vitest";
import { publishUnit, type PublishUnit } from "../../src/work/publish-unit.ts";
import type { PublishFailure } from "../../src/base/ports/repo.ts";
import { CannotGoOn } from "../../src/base/fatal.ts";
import { fail, ok, type Result } from "../../src/base/result.ts";
import { commit, put } from "../rig/in-process-session.ts";
import { fakeClone } from "../agents/fake-clone.ts";
import { memoryRole } from "../agents/memory-role.ts";
import { sessionRig, type SessionRig } from "../agents/role-rig.ts";
import { PASSED } from "../agents/turns.ts";

const UNIT = "build:One:1";

/** The builder's clone with one commit of its own, and the tester, who may publish in between. */
async function building(rig: SessionRig) {
  const builder = rig.role("builder");
  const tester = rig.role("tester");
  const clone = await builder.context.clone();
  await clone.syncTo();
  put(clone.directory, "a.txt", "mine\n");
  commit(clone.directory, "Add a");
  const others = await tester.context.clone();
  const intended: string[][] = [];
  const publish = (fields: Partial<PublishUnit> = {}) =>
    publishUnit(builder.context, {
      unit: UNIT,
      clone,
      intend: (shas) => void intended.push([...shas]),
      ...fields,
    });
  /** Publishes a commit of another role. */
  const land = async (path: string, text: string) => {
    await others.syncTo();
    put(others.directory, path, text);
    commit(others.directory, `Add ${path}`);
    const head = await others.head();
    expect(head.ok && (await others.publish(head.value))).toEqual({ ok: true, value: undefined });
  };
  const subjects = () =>
    rig.at.git("log", "--reverse", "--format=%s", "main..wisp/demo").split("\n");
  return { builder, clone, publish, land, intended, subjects };
}

test("the intent is recorded before publishing, with the commit ids that appear on the branch", async () => {
  using rig = sessionRig();
  const { builder, publish, intended, subjects } = await building(rig);
  const published = await publish();
  const head = rig.at.git("rev-parse", "wisp/demo");
  expect(published).toEqual({ kind: "published", head, shas: [head] });
  expect(intended).toEqual([[head]]);
  expect(subjects()).toEqual(["Add a"]);
  expect(builder.recordsOf("push.done").map(({ sha, unit }) => [sha, unit])).toEqual([
    [head, UNIT],
  ]);
});

test("commits are rebased onto those of others, and the intent names the new ids", async () => {
  using rig = sessionRig();
  const { publish, land, intended, subjects } = await building(rig);
  await land("test/b.txt", "theirs\n");
  const published = await publish();
  expect(subjects()).toEqual(["Add test/b.txt", "Add a"]);
  expect(published).toEqual({
    kind: "published",
    head: rig.at.git("rev-parse", "wisp/demo"),
    shas: intended[0],
  });
});

test("after a lost race the commits are rebased and published again; each attempt has its own intent", async () => {
  using rig = sessionRig();
  const { publish, land, intended, subjects } = await building(rig);
  let races = 2;
  // Twice another role publishes between the rebase and the publishing.
  const published = await publish({
    intend: (shas) => void intended.push([...shas]),
    beforePublish: async () => {
      if (races-- > 0) await land(`test/${races}.txt`, "faster\n");
      return undefined;
    },
  });
  expect(published.kind).toBe("published");
  expect(subjects()).toEqual(["Add test/1.txt", "Add test/0.txt", "Add a"]);
  expect(intended).toHaveLength(3);
  expect(new Set(intended.flat()).size).toBeGreaterThanOrEqual(3);
  expect(published.kind === "published" && published.shas).toEqual(intended[2]);
});

test("a conflict is not a failure of the process and leaves the clone intact", async () => {
  using rig = sessionRig();
  const { publish, land, intended, clone } = await building(rig);
  await land("a.txt", "theirs\n");
  expect(await publish()).toEqual({ kind: "conflict" });
  expect(intended).toEqual([]);
  expect(await clone.isDirty()).toEqual(ok(false));
  expect(rig.at.git("show", "wisp/demo:a.txt")).toBe("theirs");
});

test("commits that are refused before publishing never appear", async () => {
  using rig = sessionRig();
  const { publish } = await building(rig);
  expect(await publish({ beforePublish: async () => "verify is worse" })).toEqual({
    kind: "refused",
    reason: "verify is worse",
  });
  expect(rig.at.git("rev-parse", "wisp/demo")).toBe(rig.session.base);
});

test("commits are not published once the session has moved to another machine", async () => {
  using rig = sessionRig();
  const { publish } = await building(rig);
  const move = { kind: "moved", time: "2026-11-20T12:00:00.000Z", to: "ssh:box", id: "a" } as const;
  const away = publish({
    beforePublish: async () => {
      appendFileSync(rig.at.home.humanLog, encodeRecord(HumanRecord, move));
      return undefined;
    },
  });
  await expect(away).rejects.toMatchObject({ failure: { kind: "moved-away", to: "ssh:box" } });
  expect(rig.at.git("rev-parse", "wisp/demo")).toBe(rig.session.base);
});

test("`announce` replaces push.done", async () => {
  using rig = sessionRig();
  const { builder, publish } = await building(rig);
  const announced: string[] = [];
  await publish({ announce: (head) => void announced.push(head) });
  expect(announced).toEqual([rig.at.git("rev-parse", "wisp/demo")]);
  expect(builder.recordsOf("push.done")).toEqual([]);
});

test("waits for a branch that a person has checked out, records that once, and never works around it", async () => {
  using rig = sessionRig();
  const { builder, publish } = await building(rig);
  rig.at.git("switch", "-q", "wisp/demo");
  const { clock } = builder.context.ports;
  let looks = 0;
  const ports = {
    ...builder.context.ports,
    clock: {
      nowMs: () => clock.nowMs(),
      sleep: async () => {
        if (++looks === 3) rig.at.git("switch", "-q", "main");
      },
    },
  };
  const clone = await builder.context.clone();
  const context = { ...builder.context, ports };
  const published = await publishUnit(context, { unit: UNIT, clone, intend: () => undefined });
  expect(published.kind).toBe("published");
  expect(looks).toBe(3);
  const waits = builder.recordsOf("unit.wait");
  expect(waits.map(({ unit, held, over }) => [unit, held, over])).toEqual([
    [UNIT, rig.at.repository, undefined],
    [UNIT, undefined, "yes"],
  ]);
  expect(waits[0]?.reason).toMatch(/^the session branch is checked out in .*: check out another/);
  expect((await publish()).kind).toBe("published");
});

test("a stop ends the wait for a checked-out branch", async () => {
  using rig = sessionRig();
  const { builder } = await building(rig);
  rig.at.git("switch", "-q", "wisp/demo");
  const { ports } = builder.context;
  const sleep = async () => {
    rig.stop.abort();
  };
  const context = {
    ...builder.context,
    ports: { ...ports, clock: { nowMs: () => ports.clock.nowMs(), sleep } },
  };
  const clone = await builder.context.clone();
  const published = await publishUnit(context, { unit: UNIT, clone, intend: () => undefined });
  expect(published).toEqual({ kind: "stopped" });
  expect(rig.at.git("rev-parse", "wisp/demo")).toBe(rig.session.base);
});

/** A clone whose publishing always returns `result`; time passes by itself. */
async function refusedBy(result: Result<void, PublishFailure>) {
  let attempts = 0;
  const publish = async () => {
    attempts++;
    return result;
  };
  const clone = fakeClone("/clone", { publish });
  const { context } = memoryRole("builder", () => PASSED);
  vi.useFakeTimers();
  const end = publishUnit(context, { unit: UNIT, clone, intend: () => undefined }).catch(
    (error: unknown) => error,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  return { end: await end, attempts };
}

test("the process ends after a bounded number of lost races", async () => {
  const { end, attempts } = await refusedBy(fail({ kind: "not-fast-forward" }));
  expect(end).toBeInstanceOf(CannotGoOn);
  expect(attempts).toBe(9);
});

test("a failure of git ends the process at once", async () => {
  const failure = GitFailure({ operation: "fetch", directory: "/", message: "full" });
  const { end, attempts } = await refusedBy(fail(failure));
  expect(end).toBeInstanceOf(CannotGoOn);
  expect(attempts).toBe(1);
});
