import type { Clock } from "../../base/ports/clock.ts";
import type { Files } from "../../base/ports/files.ts";
import { READ_CHUNK_BYTES } from "../../base/limits.ts";
import type { CliProfile } from "../cli-profile.ts";
import type { TurnRequest } from "../engine.ts";
import type { EngineEvent } from "../events/engine-event.ts";
import { EventReader } from "../events/event-reader.ts";
import { addEvent, NOTHING_REPORTED, type TurnReport } from "../events/turn-report.ts";

/** How often an output is checked. */
const CHECK_MS = 500;

export interface FollowerOptions {
  readonly files: Files;
  readonly profile: Pick<CliProfile, "parse" | "usageSteps">;
  readonly request: Pick<TurnRequest, "outputBase" | "onEvent">;
  /** Whether to read existing output too. */
  readonly isWhole?: boolean | undefined;
}

/** How long a turn may be silent: at its start, and later. */
export interface Silences {
  readonly startTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

interface Following extends Silences {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether the run's output reports a failed start. */
  readonly isMisstarted: () => boolean;
  /** After so much silence it is asked whether the CLI waits for a limit to end, which may take days. */
  readonly limitTimeoutMs: number;
  readonly isLimited: () => boolean;
}

/** Reads a turn's output from its file while it grows, so that nothing is lost if we crash. */
export class OutputFollower {
  readonly #options: FollowerOptions;
  readonly #reader: EventReader;
  readonly #outPath: string;
  readonly #errPath: string;
  #offsetBytes: number;
  #report = NOTHING_REPORTED;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#reader = new EventReader(options.profile.parse);
    this.#outPath = `${options.request.outputBase}.out`;
    this.#errPath = `${options.request.outputBase}.err`;
    // Existing output belongs to an interrupted run of the same turn.
    this.#offsetBytes = options.isWhole === true ? 0 : this.#sizeOf(this.#outPath);
  }

  /** The report on what was read so far. */
  get report(): TurnReport {
    return this.#report;
  }

  /**
   * Follows the output until `signal` aborts. Returns `mute` if neither output began in time, `idle` if neither
   * grew for too long, or while the CLI waits for a limit to end, `misstarted` if the output reports a failed start.
   */
  async follow({
    clock,
    startTimeoutMs,
    idleTimeoutMs,
    signal,
    limitTimeoutMs,
    ...asked
  }: Following): Promise<"mute" | "idle" | "misstarted" | undefined> {
    const sizeBefore = this.#sizes();
    let [silentMs, size] = [0, sizeBefore];
    while (!signal.aborted && silentMs < (size === sizeBefore ? startTimeoutMs : idleTimeoutMs)) {
      // Counts checks and not time, because a machine that slept was not idle.
      await clock.sleep(CHECK_MS, signal);
      const sizeNow = this.#sizes();
      if (sizeNow !== size && asked.isMisstarted()) return "misstarted";
      const silentBeforeMs = silentMs;
      silentMs = sizeNow === size ? silentMs + CHECK_MS : 0;
      size = sizeNow;
      this.#read();
      const isLong = silentBeforeMs < limitTimeoutMs && silentMs >= limitTimeoutMs;
      if (isLong && asked.isLimited()) return "idle";
    }
    if (signal.aborted) return undefined;
    return size === sizeBefore ? "mute" : "idle";
  }

  /** Reads the rest after the run has ended. */
  finish(): void {
    this.#read();
    this.#add(this.#reader.end());
  }

  #read(): void {
    for (;;) {
      const chunk = this.#options.files.readChunk(
        this.#outPath,
        this.#offsetBytes,
        READ_CHUNK_BYTES,
      );
      // An unreadable output contains no success, so the turn fails.
      if (!chunk.ok || chunk.value.length === 0) return;
      this.#offsetBytes += chunk.value.length;
      this.#add(this.#reader.push(chunk.value));
    }
  }

  #add(events: readonly EngineEvent[]): void {
    for (const event of events) {
      this.#report = addEvent(this.#report, event, this.#options.profile.usageSteps);
      this.#options.request.onEvent?.(event);
    }
  }

  #sizes(): number {
    return this.#sizeOf(this.#outPath) + this.#sizeOf(this.#errPath);
  }

  #sizeOf(path: string): number {
    return this.#options.files.stat(path)?.sizeBytes ?? 0;
  }
}
