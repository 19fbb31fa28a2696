/** Time as a port. Milliseconds since the epoch; tests drive a virtual one. */
export interface Clock {
  /** Wall time in milliseconds since 1970. May jump; never used for exclusion. */
  nowMs(): number;
  /** Resolves after `durationMs`, or at once when `signal` aborts. Never rejects. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}
