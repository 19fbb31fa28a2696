import { createHash, type Hash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FingerprintOf } from "../../base/ports/directories.ts";
import { attempt } from "../system/errno.ts";

/** Directories between two moments in which others of the process get on. */
const DIRECTORIES_AT_ONCE = 200;

/** As the port says. Looks at one thing after the other: a thread pool is slower at this. */
export async function fingerprint({ whole, alone = [], without }: FingerprintOf): Promise<string> {
  const hash = createHash("sha256");
  for (const path of alone) note(hash, path);
  const waiting = [...whole].reverse();
  for (let looked = 1; waiting.length > 0; looked++) {
    const path = waiting.pop() ?? "";
    if (without?.has(path) !== true && note(hash, path)) {
      waiting.push(...namesIn(path).map((name) => join(path, name)));
    }
    if (looked % DIRECTORIES_AT_ONCE === 0) await nextTurn();
  }
  return hash.digest("hex");
}

/** Whether it is a directory. */
function note(hash: Hash, path: string): boolean {
  const found = attempt(() => lstatSync(path, { bigint: true }));
  if (!found.ok) {
    hash.update(`${path}\0${found.failure}\0`);
    return false;
  }
  const { mode, size, ino, ctimeNs } = found.value;
  // The size of a directory differs by file system, and what is in it is looked at.
  const isDirectory = found.value.isDirectory();
  hash.update(`${path}\0${[mode, isDirectory ? 0n : size, ino, ctimeNs].join(" ")}\0`);
  return isDirectory;
}

function namesIn(path: string): readonly string[] {
  const listed = attempt(() => readdirSync(path));
  return listed.ok ? listed.value.sort().reverse() : [];
}
