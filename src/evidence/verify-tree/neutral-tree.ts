import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { VERIFY_TREES_MAX } from "../../base/limits.ts";
import type { LeasedTree } from "./acquire-tree.ts";
import type { TreeDeps } from "./tree-deps.ts";
import { treesDirectory, type TreePlace } from "./tree-place.ts";
import { whenFree } from "./when-free.ts";

/** The longest path that a system knows, in bytes. */
const PATH_BYTES_MAX = 4_096;

const OF_WISP = /wisp/i;

/**
 * Takes the one neutral tree of a session under a kernel lock, and removes what a killed process left of an earlier one.
 *
 * @param name a word that nobody can know beforehand: it names the folder in one that others may write
 * The tree is removed when its lease is released.
 *
 * @returns "stopped" if the role is asked to stop meanwhile, "none" if the machine has no folder for it
 */
export async function acquireNeutral(
  deps: TreeDeps,
  name: string,
): Promise<LeasedTree | "stopped" | "none"> {
  const { ports, session, signal, temporary } = deps;
  const known = [...(temporary === undefined ? [] : [temporary, "/tmp"])];
  const above = known.find((path) => !OF_WISP.test(path) && ports.files.stat(path) !== undefined);
  if (above === undefined) return "none";
  const folder = treesDirectory(session);
  need(ports.files.makeDirectory(folder));
  const lock = join(folder, "neutral.lock");
  const lease = await whenFree({ clock: ports.clock, signal }, async () => {
    const taken = await ports.locks.takeLease(lock);
    return !taken.ok && taken.failure.kind === "lease-held" ? undefined : need(taken);
  });
  if (lease === undefined) return "stopped";
  removeNeutral(deps);
  const root = join(above, name);
  // Recorded first, so that whoever comes after a kill knows what to remove.
  need(ports.files.replace(recordOf(deps), Buffer.from(root)));
  const release = async () => {
    // Whoever took a lost lock has removed it, and records another one.
    removeNeutral(deps, root);
    await lease.release();
  };
  const { lost, wasAbandoned } = lease;
  const held = { lost, wasAbandoned, keep: () => lease.keep(), release };
  return { place: placeIn(deps, root, lock), lease: { ...held, [Symbol.asyncDispose]: release } };
}

function placeIn({ session }: TreeDeps, root: string, lock: string): TreePlace {
  return {
    number: VERIFY_TREES_MAX + 1,
    tree: join(root, "src"),
    lock,
    state: join(treesDirectory(session), "neutral.json"),
    home: join(root, "home"),
    temporary: join(root, "tmp"),
    runCaches: join(root, "cache"),
    setupCaches: join(root, "packages"),
    isNeutral: true,
  };
}

/** The file that holds the path of the tree, in a folder where no command of the project can write. */
function recordOf({ session }: TreeDeps): string {
  return join(treesDirectory(session), "neutral.path");
}

function removeNeutral(deps: TreeDeps, own?: string): void {
  const { files, directories } = deps.ports;
  const record = recordOf(deps);
  const root = need(files.read(record, PATH_BYTES_MAX));
  if (root === undefined) return;
  const path = new TextDecoder().decode(root);
  if (own !== undefined && path !== own) return;
  if (!directories.removeTree(path).ok) {
    // A folder that setup made may be read-only.
    need(directories.makeWritable(path));
    need(directories.removeTree(path));
  }
  need(files.remove(join(treesDirectory(deps.session), "neutral.json")));
  need(files.remove(record));
}
