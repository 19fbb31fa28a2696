/** The variable with the absolute path of the file that a process and the roles that it starts are traced to. */
export const TRACE_VARIABLE = "WISP_TRACE";

/** What wisp spends time on, as viewers show it. A `step` in which a unit begins is shown as that `unit`. */
export type SpanCategory =
  | "process"
  | "start"
  | "read"
  | "step"
  | "turn"
  | "engine"
  | "command"
  | "run"
  | "sweep"
  | "git"
  | "append"
  | "write"
  | "projection"
  | "publish"
  | "lock"
  | "wait";

/** Facts about a span: names and numbers, never prompts, secrets, variables or whole argument vectors. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/** Something that takes time. */
export interface SpanOf {
  readonly category: SpanCategory;
  readonly name: string;
  readonly facts?: SpanFacts | undefined;
}

/** A span that was begun. */
export interface OpenSpan {
  /** Ends it, with facts that are known only now. */
  end(facts?: SpanFacts): void;
}

/**
 * Records where this process spends its time. Spans of work that runs one inside the other are shown one inside the
 * other; work that runs at the same time is shown side by side.
 */
export interface Trace {
  /**
   * Does the work, and records how long it took: until the promise is settled, if it returns one.
   *
   * @param describe facts that follow from the result
   */
  span<T>(of: SpanOf, work: () => T, describe?: (result: Awaited<T>) => SpanFacts): T;
  /** Begins a span for what is not a call. */
  begin(of: SpanOf): OpenSpan;
  /** Says that the unit began in the step that is being performed. */
  unitBegan(unit: string): void;
  /** Says how the unit of the step that is being performed ended. */
  unitEnded(outcome: string): void;
}

let current: Trace | undefined;

/** The trace of this process; undefined unless a person asked for one, which is the usual case. */
export function tracing(): Trace | undefined {
  return current;
}

/** From now on, records the spans of this process there; `undefined` stops that. */
export function traceTo(trace: Trace | undefined): void {
  current = trace;
}

/** Does the work, as a span if this process is traced. */
export function traced<T>(of: SpanOf, work: () => T): T {
  return current === undefined ? work() : current.span(of, work);
}
