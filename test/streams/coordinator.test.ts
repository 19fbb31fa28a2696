import fc from "fast-check";
import { EMPTY, Subject, type Observable } from "rxjs";
import { expect, test } from "vitest";
import { coordinator } from "../../src/streams/coordinator.ts";
import { waitFor, type Exit, type Wait } from "../../src/session/steps/step.ts";
import { eachMarble, Marbles } from "../rig/marbles.ts";
import { VirtualTime } from "../rig/virtual-time.ts";

/** A piece of work. */
interface Work {
  readonly kind: "work";
  readonly takesMs: number;
}
type Step = Work | Wait | Exit;

const IDLE = waitFor({ kind: "idle" });
const EXIT: Exit = { kind: "exit", reason: "done" };
const work = (takesMs = 0): Work => ({ kind: "work", takesMs });
const until = (untilMs: number): Wait => waitFor({ kind: "idle" }, untilMs);

interface Play {
  /** `h` where a hint comes. */
  readonly hints?: string;
  /** What each read decides; after the last, it waits. */
  readonly steps?: readonly Step[];
  /** How long each read takes. */
  readonly looksMs?: number;
  readonly untilMs: number;
  readonly hint$?: Observable<unknown>;
}

/** Runs a coordinator in virtual time and draws what it does. */
async function play({ hints = "", steps = [], looksMs = 0, untilMs, hint$ }: Play) {
  const time = new VirtualTime();
  const hinted$ = new Subject<unknown>();
  const nowMs = () => time.nowMs;
  const [looks, emitted, works] = [new Marbles(nowMs), new Marbles(nowMs), new Marbles(nowMs)];
  const later = <T>(ms: number, value: T) =>
    new Promise<T>((resolve) => {
      time.scheduler.schedule(() => {
        resolve(value);
      }, ms);
    });
  const step$ = coordinator<Work>({
    hint$: hint$ ?? hinted$,
    nowMs,
    scheduler: time.scheduler,
    decide: () => {
      const step = steps[looks.count] ?? IDLE;
      looks.mark("d");
      return looksMs === 0 ? Promise.resolve(step) : later(looksMs, step);
    },
    perform: async ({ takesMs }) => {
      works.mark("[");
      await later(takesMs, undefined);
      works.mark("]");
    },
  });
  eachMarble(hints, (_, atMs) => time.scheduler.schedule(() => hinted$.next("hint"), atMs));
  const subscription = step$.subscribe({
    next: ({ kind }) => {
      emitted.mark(kind === "wait" ? "w" : kind === "exit" ? "x" : "s");
    },
    complete: () => {
      emitted.mark("|");
    },
    error: () => {
      emitted.mark("#");
    },
  });
  await time.advanceTo(untilMs);
  return {
    get looks() {
      return looks.line(untilMs);
    },
    get emitted() {
      return emitted.line(untilMs);
    },
    get works() {
      return works.line(untilMs);
    },
    get lookTimesMs() {
      return looks.timesMs;
    },
    hintIsHeard: hinted$.observed,
    subscription,
    time,
  };
}

test("it decides at once, and waits when there is nothing to do", async () => {
  const played = await play({ untilMs: 9 });
  expect(played.looks).toBe("d---------");
  expect(played.emitted).toBe("w---------");
});

test("a hint during a wait causes a new decision at once", async () => {
  const played = await play({ hints: "----h--h", untilMs: 9 });
  expect(played.looks).toBe("d---d--d--");
  expect(played.emitted).toBe("w---w--w--");
});

test("work is done one piece after the other, each after a new decision", async () => {
  const played = await play({ steps: [work(3), work(2)], untilMs: 9 });
  expect(played.looks).toBe("d--d-d----");
  expect(played.works).toBe("[--(][)-]----");
  expect(played.emitted).toBe("---s-(sw)----");
});

test("a hint that comes between reading and waiting is not lost", async () => {
  const played = await play({ hints: "-h", looksMs: 3, untilMs: 9 });
  expect(played.looks).toBe("d--d------");
  expect(played.emitted).toBe("---w--w---");
});

test("a hint at the very moment when a decision is made is not lost", async () => {
  const played = await play({ hints: "---h", looksMs: 3, untilMs: 9 });
  expect(played.looks).toBe("d--d------");
});

test("hints during work are counted, not queued: one decision follows, however many they are", async () => {
  const played = await play({ hints: "-hhhh", steps: [work(5)], untilMs: 9 });
  expect(played.looks).toBe("d----d----");
  expect(played.emitted).toBe("-----(sw)----");
});

test("several hints during one decision cause one more", async () => {
  const played = await play({ hints: "-hhh", looksMs: 5, untilMs: 19 });
  expect(played.looks).toBe("d----d--------------");
});

test("a decision or a piece of work in progress is never cut short by a hint", async () => {
  const played = await play({ hints: "-h-h-h", steps: [work(4)], looksMs: 2, untilMs: 12 });
  expect(played.works).toBe("--[---]------");
  expect(played.emitted).toBe("------s-w----");
});

test("a wait ends when its time has come", async () => {
  const played = await play({ steps: [until(4), until(6)], untilMs: 9 });
  expect(played.looks).toBe("d---d-d---");
});

test("a wait whose time has already passed ends at once", async () => {
  const played = await play({ hints: "-----h", steps: [IDLE, until(2)], untilMs: 9 });
  expect(played.looks).toBe("d----(dd)----");
});

test("without a time it decides again every hour", async () => {
  const played = await play({ untilMs: 2 * 3_600_000 });
  expect(played.lookTimesMs).toEqual([0, 3_600_000, 7_200_000]);
});

test("a wait longer than the maximum of a timer is decided again too", async () => {
  const played = await play({ steps: [until(Number.MAX_SAFE_INTEGER)], untilMs: 3_600_000 });
  expect(played.lookTimesMs).toEqual([0, 3_600_000]);
});

test("an exit is emitted, then the stream ends and ignores further hints", async () => {
  const played = await play({ hints: "---h-h", steps: [IDLE, EXIT], untilMs: 9 });
  expect(played.emitted).toBe("w--(x|)------");
  expect(played.looks).toBe("d--d------");
  expect(played.hintIsHeard).toBe(false);
});

test("unsubscribing ends the wait, including its timer", async () => {
  const played = await play({ steps: [until(8)], untilMs: 4 });
  played.subscription.unsubscribe();
  await played.time.advanceTo(20);
  expect(played.lookTimesMs).toEqual([0]);
  expect(played.time.scheduler.actions).toEqual([]);
});

test("when the source of hints ends, it continues on time alone", async () => {
  const played = await play({ hint$: EMPTY, steps: [until(3)], untilMs: 9 });
  expect(played.looks).toBe("d--d------");
  expect(played.emitted).toBe("w--w------");
});

test("an error of a decision, of the work or of the hints is passed on by the stream", async () => {
  const failing = (part: "decide" | "perform" | "hint") =>
    new Promise<string>((resolve) => {
      const hint$ = new Subject<unknown>();
      coordinator<Work>({
        hint$,
        nowMs: () => 0,
        decide: () =>
          part === "decide" ? Promise.reject(new TypeError(part)) : Promise.resolve(work()),
        perform: () =>
          part === "perform" ? Promise.reject(new TypeError(part)) : Promise.resolve(),
      }).subscribe({ error: (thrown: unknown) => resolve(String(thrown)) });
      if (part === "hint") hint$.error(new TypeError(part));
    });
  expect(await failing("decide")).toBe("TypeError: decide");
  expect(await failing("perform")).toBe("TypeError: perform");
  expect(await failing("hint")).toBe("TypeError: hint");
});

test("every hint is followed by a decision that began no earlier, whatever the durations", async () => {
  const line = fc.array(fc.constantFrom("-", "-", "-", "h"), { maxLength: 40 });
  const steps = fc.array(fc.integer({ min: 0, max: 6 }).map((ms) => (ms === 0 ? IDLE : work(ms))));
  await fc.assert(
    fc.asyncProperty(
      line,
      steps,
      fc.integer({ min: 0, max: 5 }),
      async (marbles, script, looksMs) => {
        const { lookTimesMs, works } = await play({
          hints: marbles.join(""),
          steps: script,
          looksMs,
          untilMs: 300,
        });
        const lastHintMs = marbles.lastIndexOf("h");
        expect(lookTimesMs.at(-1)).toBeGreaterThanOrEqual(lastHintMs);
        // One piece of work at a time: begins and ends alternate.
        expect(works.replace(/[-()]/g, "")).toMatch(/^(?:\[\])*$/);
      },
    ),
    { numRuns: 200 },
  );
});
