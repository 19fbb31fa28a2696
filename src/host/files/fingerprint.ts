import { createHash, type Hash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FingerprintOf } from "../../base/ports/directories.ts";
import { attempt } from "../system/errno.ts";

/** How many entries to process before yielding to the rest of the process. */
const ENTRIES_AT_ONCE = 200;

/** Implements the port's `fingerprint`. Works sequentially, because a thread pool is slower here. */
export async function fingerprint({ whole, alone = [], without }: FingerprintOf): Promise<string> {
  const hash = createHash("sha256");
  for (const path of alone) note(hash, path);
  const waiting = [...whole].reverse();
  for (let processed = 1; waiting.length > 0; processed++) {
    const path = waiting.pop() ?? "";
    if (without?.has(path) !== true && note(hash, path)) {
      waiting.push(...namesIn(path).map((name) => join(path, name)));
    }
    if (processed % ENTRIES_AT_ONCE === 0) await nextTurn();
  }
  return hash.digest("hex");
}

/** Adds an entry to the hash; returns whether it is a directory. */
function note(hash: Hash, path: string): boolean {
  const found = attempt(() => lstatSync(path, { bigint: true }));
  if (!found.ok) {
    hash.update(`${path}\0${found.failure}\0`);
    return false;
  }
  const { mode, size, ino, ctimeNs } = found.value;
  // The size of a directory differs between file systems, and its entries are hashed anyway.
  const isDirectory = found.value.isDirectory();
  hash.update(`${path}\0${[mode, isDirectory ? 0n : size, ino, ctimeNs].join(" ")}\0`);
  return isDirectory;
}

function namesIn(path: string): readonly string[] {
  const listed = attempt(() => readdirSync(path));
  return listed.ok ? listed.value.sort().reverse() : [];
}
