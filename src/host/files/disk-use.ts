import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DISK_ENTRIES_MAX } from "../../base/limits.ts";
import { attempt } from "../system/errno.ts";

/** The unit in which the system counts what a file takes on the disk, whatever the file system's own. */
const BLOCK_BYTES = 512;

/**
 * Measures what trees take on the disk. A file with several names counts once over all trees that are measured with the
 * same instance, at the first. Links are never followed.
 */
export class DiskUse {
  readonly #seen = new Set<string>();
  #entries = 0;

  /** Whether entries were left out, because there are more than anybody waits for: the sizes are minimums. */
  get isPart(): boolean {
    return this.#entries >= DISK_ENTRIES_MAX;
  }

  /** The bytes of everything at a path and below it that was not measured yet; 0 if there is nothing. */
  bytesAt(path: string): number {
    let bytes = 0;
    const left = [path];
    for (let at = left.pop(); at !== undefined && !this.isPart; at = left.pop()) {
      this.#entries += 1;
      const entry = at;
      const found = attempt(() => lstatSync(entry, { throwIfNoEntry: false }));
      if (!found.ok || found.value === undefined) continue;
      const { dev, ino, blocks } = found.value;
      const name = `${String(dev)}:${String(ino)}`;
      if (this.#seen.has(name)) continue;
      this.#seen.add(name);
      bytes += blocks * BLOCK_BYTES;
      if (!found.value.isDirectory()) continue;
      const names = attempt(() => readdirSync(entry));
      if (names.ok) left.push(...names.value.map((one) => join(entry, one)));
    }
    return bytes;
  }
}
