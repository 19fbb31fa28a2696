import { createHash, type Hash } from "node:crypto";
import { present } from "../../src/base/assert.ts";
import type { Random } from "../rig/random.ts";

/** Thrown into code whose process has been killed, so that it stops. */
export class Died extends Error {
  override readonly name = "Died";
}

/** Anything that can be killed: a role's process, an engine, a person's command. */
export interface Life {
  readonly name: string;
  isAlive: boolean;
}

interface Event {
  readonly atMs: number;
  /** A random number that orders events of the same time, smallest first. */
  readonly order: number;
  readonly label: string;
  readonly life: Life | undefined;
  readonly act: () => void;
  isCancelled: boolean;
}

/** The real timers, saved before virtual ones replace them. */
const realImmediate = setImmediate;

/** Where virtual time starts. */
export const START_MS = Date.parse("2026-11-20T12:00:00.000Z");

/**
 * The queue of future events, in virtual time. One event happens at a time, and all promises that it resolves settle
 * before the next, so that all code that runs belongs to the event's life.
 */
export class Simulator {
  nowMs: number;
  /** The life whose code runs now. */
  current: Life | undefined;
  steps = 0;
  readonly random: Random;
  /** Kept only if a trace was requested. */
  readonly trace: string[] | undefined;
  readonly #startMs: number;
  readonly #hash: Hash = createHash("sha256");
  #queue: Event[] = [];

  constructor(random: Random, isTraced: boolean, startMs = START_MS) {
    this.random = random;
    this.#startMs = startMs;
    this.nowMs = startMs;
    this.trace = isTraced ? [] : undefined;
  }

  /** Adds an event to the digest, and to the trace. */
  note(text: string): void {
    const line = `${String(this.nowMs - this.#startMs)} ${text}`;
    this.#hash.update(`${line}\n`);
    this.trace?.push(line);
  }

  /** The digest of all events until now. */
  digest(): string {
    return this.#hash.copy().digest("hex");
  }

  /** Schedules an event; returns a function that cancels it. */
  after(delayMs: number, label: string, act: () => void, life = this.current): () => void {
    const event: Event = {
      atMs: this.nowMs + Math.max(0, delayMs),
      order: this.random.unit(),
      label,
      life,
      act,
      isCancelled: false,
    };
    push(this.#queue, event);
    return () => {
      event.isCancelled = true;
    };
  }

  /** An answer of the world after a moment; a killed process never gets one. */
  answer<T>(label: string, make: () => T, delayMs = this.moment()): Promise<T> {
    const life = this.current;
    return new Promise((resolve, reject) => {
      if (life?.isAlive === false) return;
      this.after(delayMs, label, () => {
        try {
          resolve(make());
        } catch (thrown) {
          reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
        }
      });
    });
  }

  /** A short random duration. */
  moment(): number {
    return this.random.chance(0.9) ? this.random.below(4) : this.random.below(60);
  }

  /** Runs `act` as `life`, with all promises that it resolves; returns what was thrown, unless that was `Died`. */
  as(life: Life | undefined, act: () => void): Error | undefined {
    this.current = life;
    try {
      act();
    } catch (thrown) {
      if (!(thrown instanceof Error)) return new Error(String(thrown));
      if (!(thrown instanceof Died)) return thrown;
    }
    return undefined;
  }

  /** Runs the next event; false if there is none. Throws what a process's code did not catch. */
  async step(): Promise<boolean> {
    const event = this.#next();
    if (event === undefined) return false;
    this.steps += 1;
    this.nowMs = event.atMs;
    this.note(`${event.life?.name ?? "world"} ${event.label}`);
    const thrown = this.as(event.life, event.act);
    await this.settle();
    this.current = undefined;
    if (thrown !== undefined) throw thrown;
    return true;
  }

  /** Lets all pending promises settle. */
  settle(): Promise<void> {
    return new Promise((resolve) => {
      realImmediate(resolve);
    });
  }

  #next(): Event | undefined {
    for (;;) {
      if (this.#queue.length === 0) return undefined;
      const event = pop(this.#queue);
      if (!event.isCancelled && event.life?.isAlive !== false) return event;
    }
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}

/** A binary heap, smallest first. */
function push(heap: Event[], event: Event): void {
  heap.push(event);
  let at = heap.length - 1;
  while (at > 0) {
    const up = (at - 1) >> 1;
    const parent = present(heap[up], "a parent is in the heap");
    if (!isBefore(event, parent)) break;
    heap[at] = parent;
    at = up;
  }
  heap[at] = event;
}

function pop(heap: Event[]): Event {
  const first = present(heap[0], "the heap is not empty");
  const last = present(heap.pop(), "the heap is not empty");
  if (heap.length === 0) return first;
  let at = 0;
  for (;;) {
    const left = heap[2 * at + 1];
    const right = heap[2 * at + 2];
    const child = right !== undefined && left !== undefined && isBefore(right, left) ? right : left;
    if (child === undefined || !isBefore(child, last)) break;
    heap[at] = child;
    at = child === left ? 2 * at + 1 : 2 * at + 2;
  }
  heap[at] = last;
  return first;
}
