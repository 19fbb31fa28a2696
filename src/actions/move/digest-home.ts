import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { digestPrefix } from "../../host/files/mirror-file.ts";
import type { Host } from "../../host/host.ts";
import { listHome } from "../../remote/mirror/list-home.ts";
import { holdsRecords, isCompared, type HomeFileDigest } from "./compare-homes.ts";

/**
 * The compared files of a home with their digests, and how those begin that hold more records than the other home's.
 *
 * @param others the files of the other home, as far as they are known
 */
export function digestHome(
  host: Pick<Host, "files" | "directories">,
  directory: string,
  others: readonly HomeFileDigest[] = [],
): readonly HomeFileDigest[] {
  const digests: HomeFileDigest[] = [];
  for (const [path, { sizeBytes }] of need(listHome(host, directory)).files) {
    if (!isCompared(path)) continue;
    const digest = need(digestPrefix(join(directory, path), sizeBytes));
    // It was removed since it was listed.
    if (digest === undefined) continue;
    digests.push({ path, bytes: digest.bytes, sha256: digest.hash.digest("hex") });
  }
  return withPrefixes(directory, digests, others);
}

/** The same files with their beginnings, as far as those of the other home are shorter. */
export function withPrefixes(
  directory: string,
  digests: readonly HomeFileDigest[],
  others: readonly HomeFileDigest[],
): readonly HomeFileDigest[] {
  const bytesThere = new Map(others.map(({ path, bytes }) => [path, bytes]));
  return digests.map((file) => {
    const bytes = bytesThere.get(file.path);
    if (bytes === undefined || bytes >= file.bytes || !holdsRecords(file.path)) return file;
    const digest = need(digestPrefix(join(directory, file.path), bytes));
    return { ...file, prefix: digest?.hash.digest("hex") };
  });
}
