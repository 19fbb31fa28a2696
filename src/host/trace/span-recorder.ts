import { AsyncLocalStorage } from "node:async_hooks";
import type { OpenSpan, SpanCategory, SpanFacts, SpanOf, Trace } from "../../base/ports/trace.ts";
import { Lanes } from "./lanes.ts";

/** A span that has ended. Times are microseconds since 1970, lanes count from 1. */
export interface EndedSpan {
  readonly category: SpanCategory | "unit";
  readonly name: string;
  readonly facts: SpanFacts;
  readonly lane: number;
  readonly startUs: number;
  readonly endUs: number;
}

interface Span {
  readonly of: SpanOf;
  readonly startUs: number;
  readonly lane: number;
  /** The innermost open span around it when it began. */
  parent: Span | undefined;
  /** The open span that is directly inside it on its lane. */
  inner: Span | undefined;
  isOpen: boolean;
  unit: string | undefined;
  facts: SpanFacts;
}

/**
 * Knows which spans are open, one inside the other. A span is on the lane of the span around it, unless another one
 * is open there: then it gets a lane of its own. So the spans of a lane are always one inside the other or apart, which
 * viewers rely on.
 */
export class SpanRecorder implements Trace {
  readonly #context = new AsyncLocalStorage<Span>();
  readonly #lanes = new Lanes();
  readonly #open = new Set<Span>();
  readonly #nowUs: () => number;
  readonly #ended: (span: EndedSpan) => void;

  constructor(nowUs: () => number, ended: (span: EndedSpan) => void) {
    this.#nowUs = nowUs;
    this.#ended = ended;
  }

  span<T>(of: SpanOf, work: () => T, describe?: (result: Awaited<T>) => SpanFacts): T {
    const span = this.#begin(of);
    let result: T;
    try {
      result = this.#context.run(span, work);
    } catch (thrown) {
      this.#end(span, THROWN);
      throw thrown;
    }
    if (result instanceof Promise) {
      result.then(
        (value: Awaited<T>) => this.#end(span, describe?.(value)),
        () => this.#end(span, THROWN),
      );
    } else this.#end(span, describe?.(result as Awaited<T>));
    return result;
  }

  begin(of: SpanOf): OpenSpan {
    const span = this.#begin(of);
    return { end: (facts) => this.#end(span, facts) };
  }

  unitBegan(unit: string): void {
    const step = this.#step();
    if (step !== undefined) step.unit = unit;
  }

  unitEnded(outcome: string): void {
    const step = this.#step();
    if (step !== undefined) step.facts = { ...step.facts, outcome };
  }

  /** Ends the spans that are still open, because the process ends. */
  close(): void {
    for (const span of [...this.#open].reverse()) this.#end(span, { isUnfinished: true });
  }

  #begin(of: SpanOf): Span {
    const parent = openAround(this.#context.getStore());
    const lane = parent === undefined || parent.inner !== undefined ? undefined : parent.lane;
    const span: Span = {
      of,
      startUs: this.#nowUs(),
      lane: lane ?? this.#lanes.take(),
      ...{ parent, inner: undefined, isOpen: true, unit: undefined, facts: of.facts ?? {} },
    };
    if (lane !== undefined && parent !== undefined) parent.inner = span;
    this.#open.add(span);
    return span;
  }

  #end(span: Span, facts: SpanFacts = {}): void {
    if (!span.isOpen) return;
    span.isOpen = false;
    this.#open.delete(span);
    const endUs = this.#nowUs();
    const { unit, of, startUs } = span;
    this.#ended({
      category: unit === undefined ? of.category : "unit",
      name: unit ?? of.name,
      facts: { ...span.facts, ...(unit === undefined ? {} : { unit, step: of.name }), ...facts },
      lane: this.#leave(span, endUs),
      startUs,
      endUs,
    });
  }

  /** The lane that a span is shown on: its own, unless what began inside it goes on. */
  #leave(span: Span, endUs: number): number {
    const { inner, parent, lane, startUs } = span;
    const isInner = parent?.inner === span;
    if (inner !== undefined) {
      // It takes the place of the span that ends.
      inner.parent = parent;
      if (isInner) parent.inner = inner;
      return this.#lanes.freeSince(startUs, endUs);
    }
    if (isInner) parent.inner = undefined;
    else this.#lanes.release(lane, endUs);
    return lane;
  }

  #step(): Span | undefined {
    let span = this.#context.getStore();
    while (span !== undefined && span.of.category !== "step") span = span.parent;
    return span;
  }
}

const THROWN: SpanFacts = { isThrown: true };

function openAround(span: Span | undefined): Span | undefined {
  let around = span;
  while (around !== undefined && !around.isOpen) around = around.parent;
  return around;
}
