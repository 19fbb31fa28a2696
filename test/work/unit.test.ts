import { expect, test } from "vitest";
import { attemptUnit, type Attempted } from "../../src/work/unit.ts";
import { createJournal } from "../../src/work/journal.ts";
import { UNIT_BACKOFF_MS_MAX } from "../../src/base/limits.ts";
import { EMPTY_JUDGE, foldJudge } from "../../src/session/state/fold-judge.ts";
import { LogFold } from "../../src/fs-protocol/codec/log-fold.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { SESSION } from "../rig/session.ts";
import { memoryPorts } from "../agents/memory-ports.ts";
import { memoryRole } from "../agents/memory-role.ts";
import { said } from "../agents/turns.ts";

const UNIT = "review:One:abc";
const failed = (reason: string): Attempted<string> => ({ kind: "failed", reason });
const done: Attempted<string> = { kind: "done", value: "fine" };

/** A unit whose attempts have the results of the script, in order. */
function unitOf(script: readonly Attempted<string>[], { attemptsMax = 3, random = 0 } = {}) {
  const ports = memoryPorts();
  const stop = new AbortController();
  const tried: (readonly [number, string | undefined])[] = [];
  const journal = createJournal(ports, "/log", ReviewerRecord);
  journal.append({ kind: "unit.begin", time: journal.time(), unit: UNIT });
  const session = { ...SESSION, policy: { ...DEFAULT_POLICY, unitAttemptsMax: attemptsMax } };
  const { reader } = memoryRole("reviewer", () => said("")).context;
  const context = {
    ...{ session, ports, signal: stop.signal, random: () => random },
    ...({ journal, reader, role: "reviewer" } as const),
  };
  /** The open unit that a process started now would find. */
  const open = () => {
    const { files } = ports;
    const fold = { files, path: "/log", schema: ReviewerRecord, empty: EMPTY_JUDGE };
    const log = new LogFold({ ...fold, reduce: foldJudge });
    log.refresh();
    return log.value.openUnit;
  };
  const run = () =>
    attemptUnit(context, UNIT, open(), async (number, reason) => {
      tried.push([number, reason]);
      return script[tried.length - 1] ?? failed("the script is over");
    });
  return { ports, stop, tried, run, open };
}

test("the first attempt starts at once, and a success ends the unit", async () => {
  const { run, ports, tried } = unitOf([done]);
  expect(await run()).toEqual(done);
  expect(tried).toEqual([[1, undefined]]);
  expect(ports.clock.sleptMs).toEqual([]);
});

test("failed attempts are repeated with growing backoff, each with the reason of the last failure", async () => {
  const { run, ports, tried } = unitOf([failed("no verdict"), failed("crashed"), done]);
  expect(await run()).toEqual(done);
  expect(tried).toEqual([
    [1, undefined],
    [2, "no verdict"],
    [3, "crashed"],
  ]);
  expect(ports.clock.sleptMs).toEqual([250, 500]);
});

test("the backoff never exceeds its bound, however many attempts the policy allows", async () => {
  const script = Array.from({ length: 12 }, () => failed("again"));
  const { run, ports } = unitOf(script, { attemptsMax: 12, random: 0.999 });
  await run();
  expect(Math.max(...ports.clock.sleptMs)).toBeLessThanOrEqual(UNIT_BACKOFF_MS_MAX);
  expect(ports.clock.sleptMs).toHaveLength(11);
});

test("after the policy's bound the unit gives up with the last reason", async () => {
  const { run, tried } = unitOf([failed("one"), failed("two"), failed("three"), done]);
  expect(await run()).toEqual({ kind: "gaveup", reason: "three" });
  expect(tried).toHaveLength(3);
});

test("attempts that failed before a restart count, and their reason is still known", async () => {
  const { run, tried, stop, open } = unitOf([
    failed("one"),
    { kind: "stopped" },
    failed("two"),
    done,
  ]);
  expect(await run()).toEqual({ kind: "stopped" });
  expect(stop.signal.aborted).toBe(false);
  expect(open()).toMatchObject({ failures: 1, lastFailure: "one" });
  await run();
  expect(tried.slice(2)).toEqual([
    [2, "one"],
    [3, "two"],
  ]);
});

test("a restart after the last attempt gives up without another turn", async () => {
  const { run, tried } = unitOf([failed("one"), failed("two"), failed("three")]);
  await run();
  expect(await run()).toEqual({ kind: "gaveup", reason: "three" });
  expect(tried).toHaveLength(3);
});

test("questions and interruptions do not count as attempts", async () => {
  const question: Attempted<string> = { kind: "question", outcome: "blocked", question: "May I?" };
  const { run, open } = unitOf([question, { kind: "stopped" }]);
  expect(await run()).toEqual(question);
  expect(await run()).toEqual({ kind: "stopped" });
  expect(open()?.failures).toBe(0);
});

test("a process that is asked to stop starts no further attempt", async () => {
  const { run, stop, tried } = unitOf([failed("one"), done]);
  stop.abort();
  expect(await run()).toEqual({ kind: "stopped" });
  expect(tried).toEqual([]);
});

test("a hostile reason becomes one bounded line on record", async () => {
  const { run, open } = unitOf([failed(`\u001b[31mred\u001b[0m\nsecond ${"x".repeat(5_000)}`)], {
    attemptsMax: 1,
  });
  await run();
  const reason = open()?.lastFailure ?? "";
  expect(reason.startsWith("red second xxx")).toBe(true);
  expect(reason.length).toBeLessThanOrEqual(1_000);
});
