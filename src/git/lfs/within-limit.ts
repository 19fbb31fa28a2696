import { LFS_PLACED_BYTES_MAX } from "./lfs-limits.ts";
import type { LfsPointer } from "./pointer.ts";

/**
 * Divides files by the limit of what one work tree gets: in their order, until it is reached. The same content counts
 * once.
 */
export function withinLimit<File extends LfsPointer>(
  files: readonly File[],
  there: readonly LfsPointer[] = [],
): { readonly within: readonly File[]; readonly over: readonly File[] } {
  const counted = new Map(there.map(({ sha256, sizeBytes }) => [sha256, sizeBytes]));
  let sumBytes = [...counted.values()].reduce((sum, bytes) => sum + bytes, 0);
  const first = files.findIndex(({ sha256, sizeBytes }) => {
    if (counted.has(sha256)) return false;
    counted.set(sha256, sizeBytes);
    sumBytes += sizeBytes;
    return sumBytes > LFS_PLACED_BYTES_MAX;
  });
  if (first === -1) return { within: files, over: [] };
  return { within: files.slice(0, first), over: files.slice(first) };
}
