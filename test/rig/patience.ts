import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * How long nothing at all may move before a wait is given up. A loaded machine makes everything slow, and
 * nothing stand still: so waits are bounded by how long it has been quiet, and not by how long they take.
 */
const QUIET_MS_MAX = 120_000;
/**
 * A program that a test stands still for, in milliseconds: while it runs, no limit of the test's own can end it.
 * Given as `timeout` to it.
 */
export const STANDSTILL_MS_MAX = 120_000;
/** What costs more to look at than a claim is looked at so often. */
const SIGNS_LOOK_MS = 1_000;

export interface WaitOptions {
  /** Between two looks at the claim. */
  readonly intervalMs?: number;
  /** A text that changes as long as something moves. What a claim says of itself when it fails counts, too. */
  readonly signs?: () => string;
}

/**
 * Waits until a claim holds, that is until it throws nothing, and returns its value. When nothing has moved
 * for two minutes, what the claim threw last is thrown.
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

/** A signal that aborts when nothing below a folder has moved for two minutes; to be disposed of. */
export function whenQuiet(folder: string): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const quiet = new QuietWatch(() => signsIn(folder));
  const timer = setInterval(() => {
    if (quiet.isOver("")) controller.abort(new Error(`nothing moved in ${folder}`));
  }, SIGNS_LOOK_MS);
  return { signal: controller.signal, [Symbol.dispose]: () => clearInterval(timer) };
}

/** Names, sizes and times of all files below a folder, as a text. */
export function signsIn(folder: string): string {
  const lines: string[] = [];
  for (const name of namesIn(folder)) {
    try {
      const { size, mtimeMs } = statSync(join(folder, name));
      lines.push(`${name} ${String(size)} ${String(mtimeMs)}`);
    } catch {
      // It was removed just now: by the next look it is not among the names.
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

/** Tells whether it has been quiet for too long. */
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
