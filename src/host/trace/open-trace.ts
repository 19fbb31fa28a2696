import { traceTo } from "../../base/ports/trace.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { errnoWords } from "../../base/words/errno-words.ts";
import { shown } from "../../base/words/shown.ts";
import type { PortTracing } from "../host.ts";
import { SpanRecorder, type EndedSpan } from "./span-recorder.ts";
import { TraceFile, type TraceEvent, type TraceFileFailure } from "./trace-file.ts";
import { tracedPorts } from "./traced-ports.ts";

/** The file cannot be traced to. */
export const TraceFailure = refusal(
  "trace",
  EXIT.usage,
  ({ path, why }: { readonly path: string; readonly why: TraceFileFailure }) =>
    why.kind === "other-content"
      ? [
          `${shown(path)} is not a trace, and wisp does not overwrite it.`,
          "Name a file that does not exist yet, or a trace, which is continued.",
        ]
      : [
          `A trace could not be written to ${shown(path)}: ${errnoWords(why.errno)}.`,
          "Name a file in a folder that exists and that you can write to. Nothing was done.",
        ],
);
export type TraceFailure = ReturnType<typeof TraceFailure>;

/** How this process is traced. */
export interface TraceOptions {
  /** Absolute path of the file. */
  readonly path: string;
  /** The words after `wisp` on this process's command line. */
  readonly words: readonly string[];
  /** Tells the person, once, that the trace is incomplete. */
  readonly tell: (text: string) => void;
}

/** How long events may wait for others before they are written. */
const FLUSH_MS = 200;
/** How many events may wait. */
const EVENTS_MAX = 500;
const NAME_CHARS_MAX = 200;

/**
 * From now on, traces this process to a file, which is created if it does not exist and continued if it is a trace.
 * What this process was doing so far is its first span, and in it what Node did before it ran any of wisp.
 *
 * @returns what makes the ports of this process traced
 */
export function openTrace(options: TraceOptions): Result<PortTracing, TraceFailure> {
  const name = processName(options.words);
  const { pid } = process;
  const named = { ph: "M", name: "process_name", pid, tid: 1, args: { name } };
  const opened = TraceFile.open(options.path, named);
  if (!opened.ok) return fail(TraceFailure({ path: options.path, why: opened.failure }));
  const writer = new EventWriter(opened.value, options);
  writer.write(named);
  const sort_index = ORDER.indexOf(name);
  writer.write({ ph: "M", name: "process_sort_index", pid, tid: 1, args: { sort_index } });
  const recorder = new SpanRecorder(nowUs, (span) => writer.writeSpan(span));
  const startUs = Math.round(performance.timeOrigin * 1_000);
  const loaded = { category: "start", name: "load", facts: {}, lane: 1 } as const;
  writer.writeSpan({ ...loaded, startUs, endUs: nowUs() });
  const bootedUs = startUs + Math.round(performance.nodeTiming.bootstrapComplete * 1_000);
  writer.writeSpan({ ...loaded, name: "node", startUs, endUs: bootedUs });
  process.on("exit", () => {
    recorder.close();
    writer.flush();
  });
  traceTo(recorder);
  return ok(tracedPorts(options.path));
}

/** One clock for all processes of a machine, in microseconds since 1970; it never goes back within a process. */
function nowUs(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1_000);
}

/** The processes in the order of the work, above all others. */
const ORDER = ["supervisor", "planner", "builder", "reviewer", "tester"].map(
  (one) => `wisp ${one}`,
);

function processName(words: readonly string[]): string {
  const [command = "", role = ""] = words.filter((word) => !word.startsWith("-"));
  if (command === "supervise") return "wisp supervisor";
  return `wisp ${(command === "agent" ? role : command).slice(0, NAME_CHARS_MAX)}`;
}

/** Collects events, and writes them together: soon, when there are many, and when the process ends. */
class EventWriter {
  readonly #file: TraceFile;
  readonly #options: TraceOptions;
  readonly #lanes = new Set<number>();
  #waiting: TraceEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #hasTold = false;

  constructor(file: TraceFile, options: TraceOptions) {
    this.#file = file;
    this.#options = options;
  }

  writeSpan({ category: cat, name, facts, lane: tid, startUs, endUs }: EndedSpan): void {
    const { pid } = process;
    if (!this.#lanes.has(tid)) {
      this.#lanes.add(tid);
      const lane = tid === 1 ? "main" : `beside, ${String(tid)}`;
      this.write({ ph: "M", name: "thread_name", pid, tid, args: { name: lane } });
    }
    const clipped = name.slice(0, NAME_CHARS_MAX);
    const dur = Math.max(0, endUs - startUs);
    const args = clip(facts);
    // Some viewers show the arguments behind the name, and empty ones too.
    const shown = Object.keys(args).length > 0 ? { args } : {};
    this.write({ ph: "X", cat, name: clipped, pid, tid, ts: startUs, dur, ...shown });
  }

  write(event: TraceEvent): void {
    if (this.#file.end !== undefined) return;
    this.#waiting.push(event);
    if (this.#waiting.length >= EVENTS_MAX) this.flush();
    // Does not keep the process alive.
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = this.#waiting;
    this.#waiting = [];
    this.#file.append(events);
    const { end } = this.#file;
    if (end === undefined || this.#hasTold) return;
    this.#hasTold = true;
    const why = end === "full" ? "has reached its largest size" : "can no longer be written";
    this.#options.tell(`wisp: the trace ${why}; from here on it is incomplete`);
  }
}

/** Facts as they are shown: texts are cut. */
function clip(facts: EndedSpan["facts"]): Readonly<Record<string, unknown>> {
  const entries = Object.entries(facts).map(
    ([name, value]) =>
      [name, typeof value === "string" ? value.slice(0, NAME_CHARS_MAX) : value] as const,
  );
  return Object.fromEntries(entries);
}
