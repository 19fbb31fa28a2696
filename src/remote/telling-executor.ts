import type { Executor } from "../base/ports/executor.ts";
import type { Result } from "../base/result.ts";
import { formatDuration } from "../base/words/format-duration.ts";
import { shown } from "../base/words/shown.ts";
import type { World } from "../workspace/world.ts";

/** How long a place may be silent before the person who waits for it is told, and how often they are told again. */
const SILENT_MS_MAX = 5_000;
const AGAIN_MS = 30_000;

type Teller = Pick<World, "tell"> & { readonly host: Pick<World["host"], "clock"> };

/**
 * The same executor for a command that a person waits for: if a place gives no answer and no output for a while, whether
 * in one call or in several that fail, that is told.
 */
export function tellingExecutor(world: Teller, executor: Executor): Executor {
  const silence = new Silence(world, executor.name);
  return {
    ...executor,
    status: (place) => silence.during(() => executor.status(place)),
    detach: (place, name, command) => silence.during(() => executor.detach(place, name, command)),
    isRunning: (place, name) => silence.during(() => executor.isRunning(place, name)),
    signal: (place, name, signal) => silence.during(() => executor.signal(place, name, signal)),
    destroy: (place) => silence.during(() => executor.destroy(place)),
    exec: (place, command, streams = {}) => {
      const onStdout = (bytes: Uint8Array) => {
        silence.broken();
        return streams.onStdout?.(bytes);
      };
      return silence.during(() => executor.exec(place, command, { ...streams, onStdout }));
    },
  };
}

/** Since when a place has been silent, and when that was told. */
class Silence {
  readonly #world: Teller;
  readonly #name: string;
  #sinceMs: number | undefined;
  #toldMs = -Infinity;

  constructor(world: Teller, name: string) {
    this.#world = world;
    this.#name = name;
  }

  /** Waits for an answer. A failure is none: what tries again goes on waiting. */
  async during<T, F>(ask: () => Promise<Result<T, F>>): Promise<Result<T, F>> {
    const { clock } = this.#world.host;
    this.#sinceMs ??= clock.nowMs();
    const over = new AbortController();
    const telling = this.#tellUntil(over.signal);
    try {
      const answer = await ask();
      if (answer.ok) this.#sinceMs = undefined;
      return answer;
    } finally {
      over.abort();
      await telling;
    }
  }

  /** Output arrived. */
  broken(): void {
    this.#sinceMs = this.#world.host.clock.nowMs();
  }

  async #tellUntil(signal: AbortSignal): Promise<void> {
    const { clock } = this.#world.host;
    while (!signal.aborted) {
      const nowMs = clock.nowMs();
      const sinceMs = this.#sinceMs ?? nowMs;
      const dueMs = Math.max(sinceMs + SILENT_MS_MAX, this.#toldMs + AGAIN_MS);
      if (nowMs < dueMs) {
        await clock.sleep(dueMs - nowMs, signal);
        continue;
      }
      this.#toldMs = nowMs;
      const silent = formatDuration(nowMs - sinceMs);
      this.#world.tell(`Waiting for ${shown(this.#name)}, which has been silent for ${silent}.`);
    }
  }
}
