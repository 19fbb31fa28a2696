import { basename } from "node:path";
import { expect, test } from "vitest";
import { TURNS_WAIT_MS_MAX } from "../../../src/base/look-limits.ts";
import { readBugCommand } from "../../../src/agents/tester/bug-command.ts";
import { commandPlaces } from "../../../src/agents/tester/command-places.ts";
import { runBugCommand } from "../../../src/agents/tester/run-bug-command.ts";
import { LeaseHeld, type Locks } from "../../../src/base/ports/locks.ts";
import { fail } from "../../../src/base/result.ts";
import { confirmFailures } from "../../../src/evidence/integrity/confirm-failures.ts";
import {
  runOldTests,
  type OldTestsRun,
  type RecordingContext,
} from "../../../src/evidence/integrity/run-old-tests.ts";
import { settledLook } from "../../../src/evidence/look/settled-look.ts";
import type { LookContext } from "../../../src/evidence/look/take-look.ts";
import { createHost } from "../../../src/host/host.ts";
import type { RoleContext } from "../../../src/work/role-context.ts";
import { sessionRig, type RoleFields } from "../../agents/role-rig.ts";
import { TELLS_LOOPBACK } from "./loopback-sandbox.ts";
import { begins, ends, lives, waiter } from "./turns-of-others.ts";

/*
 * What decides together is repeated alone, whatever it is: looks at a commit, runs of old tests, and runs of the command
 * of a bug.
 */

type Tester = RoleContext<"tester">;

const RED = "echo 'not ok 1 - a'; exit 1";

/** Old tests fail, and are run again to confirm that. */
async function oldTestsFail(context: RecordingContext): Promise<void> {
  const { base } = context.session;
  const tests = { from: base, paths: [], commands: new Map<string, string>() };
  const run: OldTestsRun = { unit: "u", end: base, tests, by: "new-harness" };
  await runOldTests(context, new Map(), run);
  await confirmFailures(context, new Map(), run, { failing: ["a"], isBlamed: true });
}

/** The command of a bug fails, and is run again. */
async function bugShows(context: Tester) {
  const command = readBugCommand(`sh -c "${RED}"`, commandPlaces(context));
  if (!command.ok) throw new Error(command.failure.reason);
  const run = { unit: "u", command: command.value, at: context.session.base };
  return runBugCommand(context, new Map(), run);
}

/** Verify is red at the base, and looked at again. */
async function verifyIsRed(context: LookContext): Promise<void> {
  const isDeciding = () => Promise.resolve(true);
  const first = context.sandbox?.givesLoopback === true ? "own" : undefined;
  await settledLook(context, { at: context.session.base, before: undefined, first, isDeciding });
}

function testerOf(fields: RoleFields = {}) {
  const rig = sessionRig({ session: { verify: [["sh", "-c", RED]] } });
  const role = rig.role("tester", undefined, fields);
  return { rig, ...role, home: rig.at.home, [Symbol.dispose]: () => rig[Symbol.dispose]() };
}

test("repeats of old tests wait for a turn in the repository to end, and their records say for how long", async () => {
  using tester = testerOf();
  const lease = await lives(tester.home, "builder");
  begins(tester.home, "builder");
  let hasEnded = false;
  const { context, sleptMs } = waiter(tester.context, (passedMs) => {
    if (passedMs < 20_000 || hasEnded) return;
    hasEnded = true;
    ends(tester.home, "builder");
  });
  await oldTestsFail(context);
  await lease.release();
  const [first, second, third] = tester.recordsOf("command.result");
  expect(first).not.toHaveProperty("alone");
  expect(second).toMatchObject({ alone: "yes", waited: sleptMs() });
  expect(third).toMatchObject({ alone: "yes" });
  expect(third).not.toHaveProperty("waited");
  expect(tester.recordsOf("note").map(({ text }) => text)).toEqual([
    "before verify is run again, 1 turn of an engine in this repository may end, at most 5m",
  ]);
});

test("repeats of old tests wait for turns for five minutes in all, and go on beside them", async () => {
  using tester = testerOf();
  const lease = await lives(tester.home, "builder");
  begins(tester.home, "builder");
  const { context, sleptMs } = waiter(tester.context);
  await oldTestsFail(context);
  await lease.release();
  expect(sleptMs()).toBe(TURNS_WAIT_MS_MAX);
  expect(tester.recordsOf("command.result").map(({ beside }) => beside)).toEqual([undefined, 1, 1]);
});

test("repeats of a bug's command wait for turns for five minutes in all, and go on beside them", async () => {
  using tester = testerOf();
  const lease = await lives(tester.home, "builder");
  begins(tester.home, "builder");
  const { context, sleptMs } = waiter(tester.context);
  await bugShows(context);
  await lease.release();
  expect(sleptMs()).toBe(TURNS_WAIT_MS_MAX);
  expect(tester.recordsOf("command.result")).toMatchObject([
    { outcome: "failed", looks: 3, alone: "yes", waited: TURNS_WAIT_MS_MAX, beside: 1 },
  ]);
  expect(tester.recordsOf("note").map(({ text }) => text)).toEqual([
    "before the command of a bug is run again, 1 turn of an engine in this repository may end, at most 5m",
  ]);
});

test.each([
  ["old tests", oldTestsFail],
  ["the command of a bug", bugShows],
  ["verify", verifyIsRed],
])("no turn is waited for where a sandbox confines %s", async (_, act) => {
  using tester = testerOf({ sandbox: TELLS_LOOPBACK });
  const lease = await lives(tester.home, "builder");
  begins(tester.home, "builder");
  const { context, sleptMs } = waiter(tester.context);
  await act(context);
  await lease.release();
  expect(sleptMs()).toBe(0);
});

/** Locks that note what is held whenever one is taken, by file names. */
function notingLocks() {
  const { locks } = createHost();
  const held = new Set<string>();
  const taken: { readonly name: string; readonly beside: readonly string[] }[] = [];
  const noting: Locks = {
    ...locks,
    takeLease: async (path) => {
      const lease = await locks.takeLease(path);
      if (!lease.ok) return lease;
      const name = basename(path);
      taken.push({ name, beside: [...held] });
      held.add(name);
      const release = async () => {
        held.delete(name);
        await lease.value.release();
      };
      const { lost, wasAbandoned } = lease.value;
      const keep = () => lease.value.keep();
      return {
        ok: true,
        value: { lost, wasAbandoned, keep, release, [Symbol.asyncDispose]: release },
      };
    },
  };
  return { locks: noting, taken };
}

test.each([
  ["old tests", oldTestsFail, TELLS_LOOPBACK],
  ["old tests, without a sandbox,", oldTestsFail, undefined],
  ["the command of a bug", bugShows, TELLS_LOOPBACK],
  ["the command of a bug, without a sandbox,", bugShows, undefined],
  ["verify", verifyIsRed, TELLS_LOOPBACK],
  ["verify, without a sandbox,", verifyIsRed, undefined],
])(
  "each run of %s but the first is under the lock of the machine, taken before that of a tree and never after it",
  async (_, act, sandbox) => {
    const { locks, taken } = notingLocks();
    using tester = testerOf({ locks, ...(sandbox === undefined ? {} : { sandbox }) });
    await act(tester.context);
    const trees = taken.filter(({ name }) => /^\d+\.lock$/.test(name));
    const [first, ...later] = trees.map(({ beside }) => beside);
    expect(first).toEqual([]);
    expect(later.length).toBeGreaterThan(1);
    expect(later.every((beside) => beside.includes(".alone.lock"))).toBe(true);
    const alone = taken.filter(({ name }) => name === ".alone.lock");
    expect(alone.map(({ beside }) => beside)).toEqual(later.map(() => []));
  },
);

/** Sleeps last, so that others come to their turn. */
function sleeping<C extends LookContext>(context: C): C {
  return { ...context, ports: { ...context.ports, clock: createHost().clock } };
}

test("roles that repeat at the same time, with fewer trees than there are of them, all end", async () => {
  using rig = sessionRig({ session: { verify: [["sh", "-c", RED]] } });
  const [builder, reviewer] = [rig.role("builder"), rig.role("reviewer")];
  const tester = rig.role("tester");
  await Promise.all([
    verifyIsRed(sleeping(builder.context)),
    oldTestsFail(sleeping(reviewer.context)),
    bugShows(sleeping(tester.context)),
  ]);
  const aloneOf = (records: readonly { readonly alone?: "yes" | undefined }[]) =>
    records.map(({ alone }) => alone);
  expect(aloneOf(builder.recordsOf("look"))).toEqual([undefined, "yes", "yes"]);
  expect(aloneOf(reviewer.recordsOf("command.result"))).toEqual([undefined, "yes", "yes"]);
  expect(aloneOf(tester.recordsOf("command.result"))).toEqual(["yes"]);
});

test("who is asked to stop while it waits for the lock decides nothing", async () => {
  const { locks } = createHost();
  const stop = new AbortController();
  const refusing: Locks = {
    ...locks,
    takeLease: (path) => {
      if (basename(path) !== ".alone.lock") return locks.takeLease(path);
      stop.abort();
      return Promise.resolve(fail(LeaseHeld({ path, holder: undefined })));
    },
  };
  using tester = testerOf({ locks: refusing, stop });
  expect(await bugShows(tester.context)).toEqual({ kind: "stopped" });
  expect(tester.recordsOf("command.result")).toEqual([]);
  expect(stop.signal.aborted).toBe(true);
});
