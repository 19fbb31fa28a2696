import { setTimeout as sleep } from "node:timers/promises";
import type { OtlpSettings } from "./otlp-settings.ts";

/** How many spans may wait; what comes then is dropped. */
const SPANS_WAITING_MAX = 2_048;
const SPANS_AT_ONCE = 256;
/** How long the collector is left alone after a failure: at first, and at most. */
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 60_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/** By the protocol, these answers and no others are asked for again. */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** How a request ended. */
type Sent =
  | { readonly kind: "taken"; readonly rejected: number }
  | { readonly kind: "refused" | "later"; readonly why: string; readonly afterMs?: number };

interface SenderOptions<T> {
  readonly settings: Pick<OtlpSettings, "url" | "headers" | "timeoutMs">;
  /** The body of a request. */
  readonly body: (spans: readonly T[]) => string;
  readonly nowMs: () => number;
  /** Tells a person, in a sentence that holds neither the address nor a header. */
  readonly tell: (text: string) => void;
}

/**
 * Sends spans to a collector, some at a time, in the order in which they came. Whatever the collector does, nobody waits
 * for it: what it does not take is kept for a while and then dropped, and counted.
 */
export class OtlpSender<T> {
  readonly #options: SenderOptions<T>;
  readonly #stop = new AbortController();
  #waiting: T[] = [];
  #sending: Promise<void> | undefined;
  #retryAtMs = 0;
  #retryMs = RETRY_MS;
  #dropped = 0;
  #hasTold = false;

  constructor(options: SenderOptions<T>) {
    this.#options = options;
  }

  /** How many spans were not sent and will not be. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Whether everything was sent or dropped. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  push(spans: readonly T[]): void {
    const room = Math.max(0, SPANS_WAITING_MAX - this.#waiting.length);
    this.#waiting.push(...spans.slice(0, room));
    this.#dropped += Math.max(0, spans.length - room);
  }

  /** Sends what waits, unless the collector is left alone for now; `sent` is called when nothing waits any more. */
  send(sent: () => void): void {
    if (this.#sending !== undefined || this.#options.nowMs() < this.#retryAtMs) return;
    this.#sending = this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.isEmpty) sent();
    });
  }

  /** Resolves when no request is under way. */
  async idle(): Promise<void> {
    await this.#sending;
  }

  /** Sends what waits for the last time, for at most so long; what is left is dropped. */
  async end(graceMs: number): Promise<void> {
    this.#retryAtMs = 0;
    const ended = new AbortController();
    const all = (async () => {
      await this.#sending;
      await this.#sendAll();
    })();
    await Promise.race([
      all,
      sleep(graceMs, undefined, { signal: ended.signal }).catch(() => undefined),
    ]);
    ended.abort();
    this.#stop.abort();
    await all;
    this.#dropped += this.#waiting.length;
    this.#waiting = [];
  }

  async #sendAll(): Promise<void> {
    while (!this.isEmpty && !this.#stop.signal.aborted) {
      const some = this.#waiting.slice(0, SPANS_AT_ONCE);
      const sent = await this.#post(this.#options.body(some));
      if (sent.kind === "later") {
        this.#wait(sent.afterMs);
        this.#tellOnce(`${sent.why}; it is tried again`);
        return;
      }
      this.#waiting.splice(0, some.length);
      this.#retryMs = RETRY_MS;
      this.#dropped += sent.kind === "taken" ? sent.rejected : some.length;
      if (sent.kind === "refused") this.#tellOnce(sent.why);
    }
  }

  #wait(afterMs: number | undefined): void {
    const delayMs = Math.min(afterMs ?? this.#retryMs, RETRY_MS_MAX);
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS_MAX);
    this.#retryAtMs = this.#options.nowMs() + delayMs;
  }

  #tellOnce(why: string): void {
    if (this.#hasTold || this.#stop.signal.aborted) return;
    this.#hasTold = true;
    this.#options.tell(`wisp: spans are not exported: ${why}`);
  }

  /** Never rejects. */
  async #post(body: string): Promise<Sent> {
    const { url, headers, timeoutMs } = this.#options.settings;
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const response = await fetch(url, {
        ...{ method: "POST", body, signal, redirect: "manual" },
        headers: { ...headers, "content-type": "application/json" },
      });
      const { status } = response;
      if (status >= 200 && status < 300)
        return { kind: "taken", rejected: await rejectedBy(response) };
      await response.body?.cancel();
      const why = `the collector answers with ${String(status)}`;
      if (!RETRIED.has(status)) return { kind: "refused", why };
      const afterMs = Number(response.headers.get("retry-after") ?? NaN) * 1_000;
      return { kind: "later", why, ...(afterMs >= 0 ? { afterMs } : {}) };
    } catch {
      const isLate = signal.aborted && !this.#stop.signal.aborted;
      const why = isLate ? "the collector does not answer" : "the collector cannot be reached";
      return { kind: "later", why };
    }
  }
}

/** How many spans a collector did not take although it took the request. An answer of unknown length is not read. */
async function rejectedBy(response: Response): Promise<number> {
  const bytes = Number(response.headers.get("content-length") ?? NaN);
  if (!(bytes <= ANSWER_BYTES_MAX)) {
    await response.body?.cancel();
    return 0;
  }
  const count = /"rejectedSpans"\s*:\s*"?(\d{1,9})/u.exec(await response.text())?.[1];
  return Number(count ?? 0);
}
