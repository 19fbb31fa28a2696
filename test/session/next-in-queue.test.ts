import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { QUEUE_TRIES_MAX } from "../../src/base/queue-limits.ts";
import { afterFailure } from "../../src/actions/queue/failed-start.ts";
import {
  nextInLanes,
  nextInQueue,
  type QueuedEntry,
} from "../../src/session/rules/next-in-queue.ts";

const waiting = (number: number, more: Partial<QueuedEntry> = {}): QueuedEntry => ({
  ...{ number, stands: "waiting", tries: 0, ...more },
});

test("without a limit all that wait are started, and with one only as many as are free", () => {
  const entries = [1, 2, 3].map((number) => waiting(number));
  expect(nextInQueue(entries, { max: undefined, nowMs: 0 }).start).toEqual([1, 2, 3]);
  expect(nextInQueue(entries, { max: 2, nowMs: 0 })).toMatchObject({
    ...{ start: [1, 2], waitForRoom: 1 },
  });
});

test("an unfinished session and a start that has begun take a turn, a finished and a failed one none", () => {
  const entries = [
    waiting(1, { stands: "unfinished" }),
    waiting(2, { stands: "finished" }),
    waiting(3, { stands: "failed" }),
    waiting(4, { stands: "claimed", afterMs: 10 }),
    waiting(5),
  ];
  expect(nextInQueue(entries, { max: 2, nowMs: 0 })).toEqual({
    ...{ start: [], waitForRoom: 1, wakeMs: 10 },
  });
  expect(nextInQueue(entries, { max: 3, nowMs: 0 }).start).toEqual([5]);
});

test("an entry that has failed waits for its time, and lets those go first that have not", () => {
  const entries = [waiting(1, { tries: 1, afterMs: 5 }), waiting(2)];
  expect(nextInQueue(entries, { max: 1, nowMs: 0 }).start).toEqual([2]);
  expect(nextInQueue(entries, { max: 1, nowMs: 5 }).start).toEqual([2]);
});

test("an executor that refuses is tried again, later each time, and in the end not any more", () => {
  const failed = { code: "executor-refused", isPlaced: false, nowMs: 0, random: 0 };
  const first = afterFailure({ tries: 0 }, failed);
  expect(first).toMatchObject({ state: "waiting", tries: 1 });
  const second = afterFailure(first, failed);
  expect(second.afterMs).toBeGreaterThan(first.afterMs ?? Infinity);
  expect(afterFailure({ tries: QUEUE_TRIES_MAX - 1 }, failed)).toMatchObject({ state: "failed" });
});

test("what may run already at a place keeps its turn, and what would fail again is not tried again", () => {
  const at = { nowMs: 0, random: 0 };
  const lost = { code: "executor-unreachable", isPlaced: true, ...at };
  expect(afterFailure({ tries: 0 }, lost)).toMatchObject({ state: "claimed" });
  const wrong = { code: "request-empty", isPlaced: false, ...at };
  expect(afterFailure({ tries: 0 }, wrong)).toMatchObject({ state: "failed" });
  const queued = { code: "place-waits", isPlaced: false, ...at };
  expect(afterFailure({ tries: 3 }, queued)).toMatchObject({ state: "claimed", tries: 3 });
});

test("a branch that somebody else has taken is left to them", () => {
  const taken = { code: "branch-exists", isPlaced: false, nowMs: 0, random: 0 };
  expect(afterFailure({ tries: 0 }, taken)).toMatchObject({
    ...{ state: "waiting", forgetsBranch: true },
  });
});

/** What happens to the starts of a queue: each number picks one that is under way, and how it ends. */
const Fates = fc.array(fc.tuple(fc.nat(), fc.constantFrom("done", "refused", "lost")), {
  minLength: 200,
  maxLength: 200,
});

test("whatever fails, at most so many are unfinished, each is started once, and all come to an end", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 4 }), Fates, runsOff),
  );
});

function runsOff(size: number, max: number, fates: readonly (readonly [number, string])[]): void {
  let entries = Array.from({ length: size }, (_, at) => waiting(at + 1));
  const starts = new Map<number, number>();
  let nowMs = 0;
  const change = (number: number, news: Partial<QueuedEntry>) => {
    entries = entries.map((one) => (one.number === number ? { ...one, ...news } : one));
  };
  const fail = ({ number, tries }: QueuedEntry, isPlaced: boolean) => {
    const failed = { code: "executor-unreachable", isPlaced, nowMs, random: 0.5 };
    const { state, tries: next, afterMs } = afterFailure({ tries }, failed);
    change(number, { stands: state, tries: next, afterMs });
  };
  const settle = (pick: number, fate: string) => {
    const begun = entries.filter(({ stands }) => stands === "claimed" || stands === "unfinished");
    const one = begun[pick % Math.max(1, begun.length)];
    if (one === undefined) return;
    if (one.stands === "unfinished") change(one.number, { stands: "finished" });
    else if (fate !== "done") fail(one, fate === "lost");
    else {
      starts.set(one.number, (starts.get(one.number) ?? 0) + 1);
      change(one.number, { stands: "unfinished", afterMs: undefined });
    }
  };
  // Once the fates are used up, everything goes well.
  for (let step = 0; step < 2_000; step++) {
    const { start, wakeMs } = nextInQueue(entries, { max, nowMs });
    for (const number of start) change(number, { stands: "claimed", afterMs: undefined });
    const begun = entries.filter(({ stands }) => stands === "claimed" || stands === "unfinished");
    expect(begun.length).toBeLessThanOrEqual(max);
    const [pick, fate] = fates[step] ?? [step, "done"];
    settle(pick, fate);
    nowMs = Math.max(nowMs + 1, start.length === 0 ? (wakeMs ?? 0) : 0);
    if (entries.every(({ stands }) => stands === "finished" || stands === "failed")) break;
  }
  expect([...starts.values()].every((times) => times === 1)).toBe(true);
  for (const { number, stands } of entries) {
    expect(["finished", "failed"]).toContain(stands);
    expect(starts.get(number) ?? 0).toBe(stands === "finished" ? 1 : 0);
  }
}

describe("an executor that holds back places itself", () => {
  const submitted = { stands: "claimed", isSubmitted: true } as const;
  const next = (entries: readonly QueuedEntry[]) => nextInLanes(entries, { max: 2, nowMs: 0 });

  test("is asked for all places, each after those of its lane", () => {
    const entries = [1, 2, 3].map((number) => waiting(number));
    expect(next(entries)).toEqual([
      { number: 1, after: [] },
      { number: 2, after: [] },
    ]);
    expect(next([waiting(1, submitted), waiting(2), waiting(3)])).toContainEqual({
      ...{ number: 3, after: [1] },
    });
  });

  test("lets one begin when the session before it is finished, though its place is still there", () => {
    const third = waiting(3, { ...submitted, after: [1] });
    expect(next([waiting(1, { stands: "unfinished" }), third])).toEqual([
      { number: 3, after: [1] },
    ]);
    expect(next([waiting(1, { stands: "finished" }), third])).toEqual([{ number: 3, after: [] }]);
  });

  test("asks for one that it refused after the others of its lane, which do not wait for it", () => {
    const refused = { tries: 1, afterMs: 5 };
    expect(next([waiting(1, refused), waiting(3)])).toEqual([{ number: 3, after: [] }]);
    expect(next([waiting(1, { tries: 1 }), waiting(3, submitted)])).toContainEqual({
      ...{ number: 1, after: [3] },
    });
  });
});
