import type { Result } from "../../base/result.ts";
import { copyTreeSync } from "../system/effects.ts";
import { attempt, type Errno } from "../system/errno.ts";

/** Copies a file, or a directory with everything in it, to an unused name; not durably. */
export function copyTree(from: string, to: string): Result<void, Errno> {
  return attempt(() => copyTreeSync(from, to));
}
