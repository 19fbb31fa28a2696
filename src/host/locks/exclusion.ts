import type { Result } from "../../base/result.ts";
import type { Errno } from "../system/errno.ts";

/** An exclusive hold on a path, which ends with our process at the latest. */
export interface Hold {
  /** The descriptor that carries the lock, from which others can tell that we hold it. */
  readonly fd: number | undefined;
  /** Resolves if the hold ends without being released. */
  readonly lost: Promise<void>;
  /** Whether the path still names what carries the hold; otherwise it has been removed, and excludes nobody. */
  isInPlace(): boolean;
  release(): Promise<void>;
}

/** A way to exclude all other processes of a machine. */
export interface Exclusion {
  /** Acquires the hold; `"held"` if another process has it. */
  take(path: string): Promise<Result<Hold | "held", Errno>>;
  /** Whether any process holds `path`; the check itself may make an acquisition fail for a moment. */
  isHeld(path: string): Promise<boolean>;
}
