import { expect, test } from "vitest";
import { pushWithRetry, type PushAttempt } from "../../src/streams/push-with-retry.ts";
import { Marbles } from "../rig/marbles.ts";
import { VirtualTime } from "../rig/virtual-time.ts";

type Attempt = PushAttempt<string, string>;

const OPTIONS = { attemptsMax: 3, msMin: 8, msMax: 12, random: () => 0 };
const published: Attempt = { kind: "published", value: "sha" };
const rejected: Attempt = { kind: "rejected", failure: "not-fast-forward" };
const failed: Attempt = { kind: "failed", failure: "disk full" };

interface Play {
  readonly attempts: readonly Attempt[];
  readonly attemptMs?: number;
  readonly options?: Partial<typeof OPTIONS>;
  readonly abortMs?: number;
}

/** Publishes in virtual time; draws when each attempt began, by its first letter. */
async function play({ attempts, attemptMs = 0, options, abortMs }: Play) {
  const time = new VirtualTime();
  const abort = new AbortController();
  const { signal } = abort;
  if (abortMs !== undefined) time.scheduler.schedule(() => abort.abort(), abortMs);
  const begun = new Marbles(() => time.nowMs);
  const numbers: number[] = [];
  const attempt = (number: number): Promise<Attempt> => {
    const result = attempts[begun.count] ?? failed;
    begun.mark(result.kind[0] ?? "?");
    numbers.push(number);
    return new Promise((resolve) => {
      time.scheduler.schedule(() => {
        resolve(result);
      }, attemptMs);
    });
  };
  let result: Attempt | undefined;
  void pushWithRetry(attempt, { ...OPTIONS, ...options, signal }, time.scheduler).then((last) => {
    result = last;
  });
  await time.advanceTo(39);
  await time.advanceTo(39);
  return { line: begun.line(39).replace(/-+$/, ""), numbers, result };
}

test("a publish that succeeds is tried once", async () => {
  expect(await play({ attempts: [published] })).toEqual({
    line: "p",
    numbers: [1],
    result: published,
  });
});

test("a rejected attempt is tried again after a growing wait", async () => {
  expect(await play({ attempts: [rejected, rejected, published] })).toEqual({
    line: "r---r-----p",
    numbers: [1, 2, 3],
    result: published,
  });
});

test("the wait begins when the attempt has ended", async () => {
  const { line } = await play({ attempts: [rejected, published], attemptMs: 5 });
  expect(line).toBe("r--------p");
});

test("chance makes the wait longer, up to its bound", async () => {
  const options = { random: () => 1 - 2 ** -53 };
  const { line } = await play({ attempts: [rejected, rejected, published], options });
  expect(line).toBe("r-------r-----------p");
});

test("after the last attempt the last rejection is the result", async () => {
  const last: Attempt = { kind: "rejected", failure: "once more" };
  expect(await play({ attempts: [rejected, rejected, last, published] })).toEqual({
    line: "r---r-----r",
    numbers: [1, 2, 3],
    result: last,
  });
});

test("a failure for another reason is not retried", async () => {
  expect(await play({ attempts: [rejected, failed, published] })).toEqual({
    line: "r---f",
    numbers: [1, 2],
    result: failed,
  });
});

test("an attempt is made even where none is allowed to be repeated", async () => {
  const { line, result } = await play({ attempts: [rejected], options: { attemptsMax: 1 } });
  expect([line, result]).toEqual(["r", rejected]);
});

test("an abort ends a delay and prevents further attempts", async () => {
  const inBackoff = await play({ attempts: [rejected, published], abortMs: 2 });
  expect([inBackoff.line, inBackoff.result]).toEqual(["r", rejected]);
  const inAttempt = await play({ attempts: [rejected, published], attemptMs: 5, abortMs: 2 });
  expect([inAttempt.line, inAttempt.result]).toEqual(["r", rejected]);
});

test("an attempt that throws ends it", async () => {
  const thrown = () => Promise.reject(new TypeError("a mistake of ours"));
  await expect(pushWithRetry(thrown, OPTIONS)).rejects.toThrow("a mistake of ours");
});
