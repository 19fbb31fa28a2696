import type { Result } from "../../base/result.ts";
import type { Errno } from "../system/errno.ts";

/** An exclusive hold on a path that ends with our process at the latest. */
export interface Hold {
  /** The descriptor that carries the lock, by which others can tell that we hold it. */
  readonly fd: number | undefined;
  /** Resolves when the hold ended without being released. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}

/** A way to be the only one, among all processes of a machine. */
export interface Exclusion {
  /** `"held"` when somebody else is. */
  take(path: string): Promise<Result<Hold | "held", Errno>>;
  /** Whether somebody holds `path`; the look itself may refuse a taker for a moment. */
  isHeld(path: string): Promise<boolean>;
}
