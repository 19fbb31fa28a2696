import type { Clock } from "../../base/ports/clock.ts";
import type { Files } from "../../base/ports/files.ts";
import { READ_CHUNK_BYTES } from "../../base/limits.ts";
import type { CliProfile } from "../cli-profile.ts";
import type { TurnRequest } from "../engine.ts";
import type { EngineEvent } from "../events/engine-event.ts";
import { EventReader } from "../events/event-reader.ts";
import { addEvent, NOTHING_REPORTED, type TurnReport } from "../events/turn-report.ts";

/** How often an output is looked at. */
const LOOK_MS = 500;

export interface FollowerOptions {
  readonly files: Files;
  readonly profile: Pick<CliProfile, "parse" | "usageSteps">;
  readonly request: Pick<TurnRequest, "outputBase" | "onEvent">;
  /** What stands there already is read as well. */
  readonly isWhole?: boolean | undefined;
}

/** How long a turn may say nothing: at its start, and later on. */
export interface Silences {
  readonly startTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

interface Following extends Silences {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether what the run wrote says that its start failed. */
  readonly isMisstarted: () => boolean;
}

/** Reads a turn's output from its file while it grows: a crash of ours loses nothing of it. */
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
    // What stands there belongs to an interrupted run of the same turn.
    this.#offsetBytes = options.isWhole === true ? 0 : this.#sizeOf(this.#outPath);
  }

  /** What was read so far comes to this. */
  get report(): TurnReport {
    return this.#report;
  }

  /**
   * Follows until the signal. `mute`: neither output began in time; `idle`: neither grew for too long;
   * `misstarted`: it said that its start failed.
   */
  async follow({
    clock,
    startTimeoutMs,
    idleTimeoutMs,
    signal,
    isMisstarted,
  }: Following): Promise<"mute" | "idle" | "misstarted" | undefined> {
    const sizeBefore = this.#sizes();
    let [silentMs, size] = [0, sizeBefore];
    while (!signal.aborted && silentMs < (size === sizeBefore ? startTimeoutMs : idleTimeoutMs)) {
      // Looks are counted, not time: a machine that slept was not idle.
      await clock.sleep(LOOK_MS, signal);
      const sizeNow = this.#sizes();
      if (sizeNow !== size && isMisstarted()) return "misstarted";
      silentMs = sizeNow === size ? silentMs + LOOK_MS : 0;
      size = sizeNow;
      this.#read();
    }
    if (signal.aborted) return undefined;
    return size === sizeBefore ? "mute" : "idle";
  }

  /** Reads what is left when the run has ended. */
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
      // An output that cannot be read holds no success, so that the turn fails.
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
