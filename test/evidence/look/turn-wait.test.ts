import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TURNS_WAIT_MS_MAX } from "../../../src/base/look-limits.ts";
import { NO_SANDBOX } from "../../../src/base/ports/sandbox.ts";
import { aloneHere, type Alone } from "../../../src/evidence/look/alone-here.ts";
import { RunningTurns } from "../../../src/evidence/look/running-turns.ts";
import type { LookContext } from "../../../src/evidence/look/take-look.ts";
import { turnWait } from "../../../src/evidence/look/turn-wait.ts";
import { verifyAt } from "../../../src/evidence/verify/verify-at.ts";
import { homeAt, revisionHome, type Home } from "../../../src/fs-protocol/home/home.ts";
import { EMPTY_BUILDER } from "../../../src/session/state/builder-state.ts";
import { eventually } from "../../rig/patience.ts";
import { sessionRig, type RigOptions, type RoleFields } from "../../agents/role-rig.ts";
import { TELLS_LOOPBACK } from "./loopback-sandbox.ts";
import { begins, ends, lives, waiter } from "./turns-of-others.ts";

/*
 * Turns of engines, read from the files of the sessions of a repository, while looks at a commit are repeated. Time passes
 * only in sleeps.
 */

/** The home of another session of the same repository. */
function otherHome(home: Home): Home {
  const other = homeAt(join(home.directory, "../other"));
  mkdirSync(other.logs, { recursive: true });
  writeFileSync(other.sessionJson, "{}");
  return other;
}

function builderOf(options: RigOptions = {}, fields: RoleFields = {}) {
  const rig = sessionRig(options);
  const role = rig.role("builder", undefined, fields);
  return { rig, ...role, home: rig.at.home, [Symbol.dispose]: () => rig[Symbol.dispose]() };
}

test("running are turns without an end whose role lives, of this session and of others of the repository, but not one's own", async () => {
  using builder = builderOf();
  const { home, context } = builder;
  const turns = new RunningTurns(context);
  begins(home, "reviewer");
  expect(await turns.count()).toBe(0);
  const reviewer = await lives(home, "reviewer");
  expect(await turns.count()).toBe(1);
  begins(home, "reviewer", "two");
  expect(await turns.count()).toBe(2);
  ends(home, "reviewer");
  expect(await turns.count()).toBe(1);

  const other = otherHome(home);
  const revision = revisionHome(other, 1);
  for (const of of [other, revision]) begins(of, "builder");
  writeFileSync(revision.sessionJson, "{}");
  const leases = [reviewer, await lives(other, "builder"), await lives(revision, "builder")];
  expect(await turns.count()).toBe(3);

  begins(home, "builder");
  leases.push(await lives(home, "builder"));
  expect(await turns.count()).toBe(3);
  for (const lease of leases) await lease.release();
  expect(await turns.count()).toBe(0);
});

test("a repeated look waits for a turn in the repository to end, and its record says for how long", async () => {
  using builder = builderOf({ session: { verify: [["false"]] } });
  const { home } = builder;
  const lease = await lives(home, "reviewer");
  begins(home, "reviewer");
  let hasEnded = false;
  const { context, sleptMs } = waiter(builder.context, (passedMs) => {
    if (passedMs < 20_000 || hasEnded) return;
    hasEnded = true;
    ends(home, "reviewer");
  });
  await verifyAt(context, EMPTY_BUILDER, builder.rig.session.base);
  await lease.release();
  const [first, second, third] = builder.recordsOf("look");
  expect(first).not.toHaveProperty("waited");
  expect(second).toMatchObject({ n: 2, alone: "yes", waited: sleptMs() });
  expect(third).toMatchObject({ n: 3, alone: "yes" });
  expect(third).not.toHaveProperty("waited");
  expect(builder.recordsOf("look").flatMap(({ beside }) => beside ?? [])).toEqual([]);
  expect(builder.recordsOf("note").map(({ text }) => text)).toEqual([
    "before verify is run again, 1 turn of an engine in this repository may end, at most 5m",
  ]);
});

test("after five minutes in all, looks that decide together go on beside the turns, and say so", async () => {
  using builder = builderOf({ session: { verify: [["false"]] } });
  const { home } = builder;
  const leases = [await lives(home, "reviewer"), await lives(home, "tester")];
  begins(home, "reviewer");
  begins(home, "tester");
  const { context, sleptMs } = waiter(builder.context);
  const verified = await verifyAt(context, EMPTY_BUILDER, builder.rig.session.base);
  for (const lease of leases) await lease.release();
  expect(verified).toMatchObject({ outcome: "failed" });
  expect(sleptMs()).toBe(TURNS_WAIT_MS_MAX);
  expect(builder.recordsOf("look")).toMatchObject([
    { n: 1 },
    { n: 2, alone: "yes", waited: TURNS_WAIT_MS_MAX, beside: 2 },
    { n: 3, alone: "yes", beside: 2 },
  ]);
  expect(builder.recordsOf("look")[2]).not.toHaveProperty("waited");
});

test("no turn is waited for before a look that is not repeated, nor where a sandbox confines verify", async () => {
  const sleptIn = async (verify: string[][], fields: RoleFields) => {
    using builder = builderOf({ session: { verify } }, fields);
    const lease = await lives(builder.home, "reviewer");
    begins(builder.home, "reviewer");
    const { context, sleptMs } = waiter(builder.context);
    await verifyAt(context, EMPTY_BUILDER, builder.rig.session.base);
    await lease.release();
    return [sleptMs(), builder.recordsOf("look").length];
  };
  expect(await sleptIn([["true"]], {})).toEqual([0, 1]);
  expect(await sleptIn([["false"]], { sandbox: TELLS_LOOPBACK })).toEqual([0, 4]);
  expect(await sleptIn([["false"]], { sandbox: NO_SANDBOX })).toEqual([TURNS_WAIT_MS_MAX, 3]);
});

test("a turn that begins while the lock of the machine is waited for is waited for, too", async () => {
  using builder = builderOf();
  const { home } = builder;
  const other = builder.rig.role("tester");
  let step = 0;
  let isHeld = false;
  const held = aloneHere(other.context, undefined, async () => {
    isHeld = true;
    await eventually(() => expect(step).toBeGreaterThanOrEqual(3));
  });
  await eventually(() => expect(isHeld).toBe(true));
  const lease = await lives(home, "reviewer");
  const { context } = waiter(builder.context, () => {
    step++;
    // First it waits for the lock, and then for the turn that began meanwhile.
    if (step === 3) begins(home, "reviewer");
    if (builder.recordsOf("note").length > 0) ends(home, "reviewer");
  });
  const alone = await aloneHere(context, turnWait(context, "verify"), (seen: Alone) =>
    Promise.resolve(seen),
  );
  await held;
  await lease.release();
  expect(alone?.beside).toBe(0);
  expect(alone?.waitedMs).toBeGreaterThan(0);
  expect(builder.recordsOf("note")).toHaveLength(1);
});

test("two roles that look again at the same time wait for the turns of a third, and never for one another", async () => {
  using builder = builderOf();
  const { home } = builder;
  const tester = builder.rig.role("tester");
  const leases = [await lives(home, "builder"), await lives(home, "tester")];
  const reviewer = await lives(home, "reviewer");
  begins(home, "reviewer");
  const seen: string[] = [];
  const look = async (context: LookContext, name: string) => {
    const { context: own } = waiter(context, (passedMs) => {
      if (passedMs > 5_000 && !seen.includes("ended")) {
        seen.push("ended");
        ends(home, "reviewer");
      }
    });
    const alone = await aloneHere(own, turnWait(own, "verify"), (one) => {
      seen.push(name);
      return Promise.resolve(one);
    });
    return alone?.beside;
  };
  const both = await Promise.all([
    look(builder.context, "builder"),
    look(tester.context, "tester"),
  ]);
  for (const lease of [...leases, reviewer]) await lease.release();
  expect(both).toEqual([0, 0]);
  expect(seen[0]).toBe("ended");
  expect([...seen].sort()).toEqual(["builder", "ended", "tester"]);
});

test("who is asked to stop while it waits for a turn does nothing", async () => {
  const stop = new AbortController();
  using builder = builderOf({}, { stop });
  const lease = await lives(builder.home, "reviewer");
  begins(builder.home, "reviewer");
  const { context } = waiter(builder.context, () => {
    stop.abort();
  });
  const ran = await aloneHere(context, turnWait(context, "verify"), () => Promise.resolve("ran"));
  await lease.release();
  expect(ran).toBeUndefined();
});
