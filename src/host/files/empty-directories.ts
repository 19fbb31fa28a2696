import { dirname } from "node:path";
import { rmdirSync } from "../system/effects.ts";
import { attempt } from "../system/errno.ts";

/**
 * Removes the directory `lowest` and those above it up to `highest`, as long as they are empty: what
 * somebody else has put there meanwhile stays.
 */
export function removeEmptyDirectories(lowest: string, highest: string): void {
  for (let at = lowest; at.startsWith(highest); at = dirname(at)) {
    if (!attempt(() => rmdirSync(at)).ok) return;
    if (at === highest) return;
  }
}
