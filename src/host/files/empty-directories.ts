import { dirname } from "node:path";
import { rmdirSync } from "../system/effects.ts";
import { attempt } from "../system/errno.ts";

/**
 * Removes the directory `lowest` and its parents up to `highest`, as long as they are empty. Files that others have
 * added meanwhile stay.
 */
export function removeEmptyDirectories(lowest: string, highest: string): void {
  for (let at = lowest; at.startsWith(highest); at = dirname(at)) {
    if (!attempt(() => rmdirSync(at)).ok) return;
    if (at === highest) return;
  }
}
