import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { TRACE_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { openRegular } from "../files/open-regular.ts";
import { createFile } from "../files/write-atomically.ts";
import { appendSync, writeSync } from "../system/effects.ts";
import { attempt, type Errno } from "../system/errno.ts";

/**
 * How every trace begins. Each later event is a line that begins with a comma, so that the file is an array whose
 * closing bracket is missing, which the format allows, after whole lines of any process.
 */
const OPENING = '[\n{"ph":"M",';
const NEWLINE_BYTE = 0x0a;
/** Far more than is written between the end of a killed process and the start of its successor. */
const REPAIRED_BYTES_MAX = 256 * 1024;

/** Why a file cannot be traced to: it contains something other than a trace, or the system refuses it. */
export type TraceFileFailure =
  { readonly kind: "other-content" } | { readonly kind: "errno"; readonly errno: Errno };

/** Why nothing more is written. */
export type TraceEnd = "full" | "failed";

/** An event in the trace event format, with `ph` first. */
export type TraceEvent = Readonly<{ ph: string }> & Readonly<Record<string, unknown>>;

/**
 * A trace that several processes append to: each writes whole lines with one write. A process that is killed during
 * a write leaves half a line. The next writer ends that line, and a process that finds it ended replaces it with
 * spaces: no process is still writing a line that has ended.
 */
export class TraceFile {
  readonly #fd: number;
  readonly #path: string;
  readonly #bytesMax: number;
  #end: TraceEnd | undefined;

  private constructor(fd: number, path: string, bytesMax: number) {
    this.#fd = fd;
    this.#path = path;
    this.#bytesMax = bytesMax;
  }

  /**
   * Opens a trace to continue it, or creates it with mode 0600. Any other file is left as it is.
   *
   * @param first the event that a new trace begins with; it must be metadata
   */
  static open(
    path: string,
    first: TraceEvent,
    bytesMax = TRACE_BYTES_MAX,
  ): Result<TraceFile, TraceFileFailure> {
    const opening = Buffer.from(`[\n${JSON.stringify(first)}\n`);
    const flags = constants.O_RDWR | constants.O_APPEND;
    let opened = openRegular(path, flags);
    if (!opened.ok && opened.failure === "ENOENT") {
      const created = createFile(path, opening);
      if (!created.ok && created.failure !== "EEXIST") return failed(created.failure);
      opened = openRegular(path, flags);
    }
    if (!opened.ok) return failed(opened.failure);
    const { fd } = opened.value;
    const begun = attempt(() => isBegun(fd, opening));
    if (begun.ok && begun.value) {
      const file = new TraceFile(fd, path, bytesMax);
      file.#repair();
      return ok(file);
    }
    closeSync(fd);
    return begun.ok ? fail({ kind: "other-content" }) : failed(begun.failure);
  }

  /** Why nothing more is written; undefined while it is. */
  get end(): TraceEnd | undefined {
    return this.#end;
  }

  /** Appends these events with one write. Fails silently: a trace is never a reason to stop work. */
  append(events: readonly TraceEvent[]): void {
    if (this.#end !== undefined || events.length === 0) return;
    const done = attempt(() => this.#append(events));
    if (!done.ok) this.#end = "failed";
  }

  #append(events: readonly TraceEvent[]): void {
    const { size } = fstatSync(this.#fd);
    let lines = Buffer.from(linesOf(events));
    if (size + lines.length > this.#bytesMax) {
      this.#end = "full";
      lines = Buffer.from(linesOf(cutMark(events, this.#bytesMax)));
    }
    const isTorn = !endsLine(this.#fd, size);
    const bytes = isTorn ? Buffer.concat([Buffer.from("\n"), lines]) : lines;
    const isWhole = appendSync(this.#fd, bytes) === bytes.length;
    if (!isWhole) {
      this.#end = "failed";
      appendSync(this.#fd, Buffer.from("\n"));
    }
    if (isTorn || !isWhole) this.#repair();
  }

  /** Replaces the halves of lines near the end by spaces. */
  #repair(): void {
    attempt(() => {
      const { size, ino } = fstatSync(this.#fd);
      const from = Math.max(0, size - REPAIRED_BYTES_MAX);
      const halves = halfLines(bytesAt(this.#fd, from, size - from), from);
      if (halves.length === 0) return;
      // A descriptor for appending cannot write anywhere else.
      const opened = openRegular(this.#path, constants.O_WRONLY);
      if (!opened.ok) return;
      const { fd, stats } = opened.value;
      try {
        if (stats.ino !== ino) return;
        for (const { at, length } of halves) writeSync(fd, Buffer.alloc(length, " "), 0, at);
      } finally {
        closeSync(fd);
      }
    });
  }
}

function failed(errno: Errno): Result<never, TraceFileFailure> {
  return fail({ kind: "errno", errno });
}

/** Whether the file is a trace. An empty one becomes one. */
function isBegun(fd: number, opening: Uint8Array): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return appendSync(fd, opening) === opening.length;
  return bytesAt(fd, 0, OPENING.length).toString("latin1") === OPENING;
}

function linesOf(events: readonly TraceEvent[]): string {
  return events.map((event) => `,${JSON.stringify(event)}\n`).join("");
}

/** Says in the trace itself, at the time of the first event that is left out, that it is incomplete. */
function cutMark(events: readonly TraceEvent[], bytesMax: number): readonly TraceEvent[] {
  const name = `the trace was cut at ${String(bytesMax)} bytes`;
  return events
    .filter(({ ph }) => ph !== "M")
    .slice(0, 1)
    .map(({ pid, tid, ts }) => ({ ph: "i", s: "p", cat: "process", name, pid, tid, ts, args: {} }));
}

function endsLine(fd: number, size: number): boolean {
  return bytesAt(fd, size - 1, 1)[0] === NEWLINE_BYTE;
}

function bytesAt(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, at));
}

interface Place {
  readonly at: number;
  readonly length: number;
}

/** The places of ended lines that are no events; a line that begins before `bytes` is not judged. */
function halfLines(bytes: Buffer, from: number): readonly Place[] {
  const halves: Place[] = [];
  let start = from === 0 ? 0 : bytes.indexOf(NEWLINE_BYTE) + 1;
  for (
    let end = bytes.indexOf(NEWLINE_BYTE, start);
    end >= 0;
    end = bytes.indexOf(NEWLINE_BYTE, start)
  ) {
    const text = bytes.toString("utf8", start, end);
    if (!isLine(text)) halves.push({ at: from + start, length: end - start });
    start = end + 1;
  }
  return halves;
}

/** Whether it is an event, the opening bracket, or blank. */
function isLine(text: string): boolean {
  if (text === "[" || text.trim() === "") return true;
  try {
    JSON.parse(text.replace(/^,/, ""));
    return true;
  } catch {
    return false;
  }
}
