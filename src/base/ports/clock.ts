/** Time as a port, in milliseconds since the epoch; tests use a virtual one. */
export interface Clock {
  /** The wall time in milliseconds since 1970. It may jump, so it is never used for exclusion. */
  nowMs(): number;
  /** The time zone of the machine, by its IANA name; absent: UTC. */
  readonly zone?: string | undefined;
  /** Resolves after `durationMs`, or as soon as `signal` aborts. Never rejects. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}
