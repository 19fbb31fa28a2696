import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * How long nothing may change before a wait is given up. On a loaded machine everything is slow, but nothing
 * stands still, so waits are limited by how long nothing has changed, not by how long they take.
 */
const QUIET_MS_MAX = 120_000;
/**
 * The `timeout` of a program that a test waits for synchronously, in milliseconds: while it runs, no limit of
 * the test itself can end it.
 */
export const STANDSTILL_MS_MAX = 120_000;
/** What a follower writes every few seconds while nothing else happens. */
const LINK_FILE = "link.json";
/** How often something is checked that is more expensive than a claim. */
const SIGNS_LOOK_MS = 1_000;

export interface WaitOptions {
  /** The time between two checks of the claim. */
  readonly intervalMs?: number;
  /** A text that changes as long as there is progress. The claim's own error message counts, too. */
  readonly signs?: () => string;
}

/**
 * Waits until a claim holds, that is, until it does not throw, and returns its value. If nothing has changed
 * for two minutes, throws the claim's last error.
 */
export async function eventually<T>(
  claim: () => T | Promise<T>,
  { intervalMs = 10, signs }: WaitOptions = {},
): Promise<T> {
  const quiet = new QuietWatch(signs);
  for (;;) {
    try {
      return await claim();
    } catch (error) {
      if (quiet.isOver(error instanceof Error ? error.message : String(error))) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}

/** A signal that aborts when nothing below a folder has changed for two minutes; to be disposed of. */
export function whenQuiet(folder: string): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const quiet = new QuietWatch(() => signsIn(folder));
  const timer = setInterval(() => {
    if (quiet.isOver("")) controller.abort(new Error(`nothing moved in ${folder}`));
  }, SIGNS_LOOK_MS);
  return { signal: controller.signal, [Symbol.dispose]: () => clearInterval(timer) };
}

/** Names, sizes and times of all files below a folder, as a text. A sign of life from another place is no progress. */
export function signsIn(folder: string): string {
  const lines: string[] = [];
  for (const name of namesIn(folder)) {
    if (basename(name) === LINK_FILE) continue;
    try {
      const { size, mtimeMs } = statSync(join(folder, name));
      lines.push(`${name} ${String(size)} ${String(mtimeMs)}`);
    } catch {
      // It has just been removed, so it will not be among the names next time.
    }
  }
  return lines.join("\n");
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}

/** Tells whether nothing has changed for too long. */
class QuietWatch {
  readonly #signs: () => string;
  #seen = "";
  #said = "";
  #lookedMs = 0;
  #movedMs = Date.now();

  constructor(signs: () => string = () => "") {
    this.#signs = signs;
  }

  isOver(said: string): boolean {
    const nowMs = Date.now();
    if (said !== this.#said) this.#movedMs = nowMs;
    this.#said = said;
    if (nowMs - this.#lookedMs >= SIGNS_LOOK_MS) {
      this.#lookedMs = nowMs;
      const seen = this.#signs();
      if (seen !== this.#seen) this.#movedMs = nowMs;
      this.#seen = seen;
    }
    return nowMs - this.#movedMs > QUIET_MS_MAX;
  }
}
