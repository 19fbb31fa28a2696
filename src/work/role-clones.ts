import { join } from "node:path";
import { need } from "../base/fatal.ts";
import type { Directories } from "../base/ports/directories.ts";
import type { Clone } from "../base/ports/repo.ts";
import type { ClonesWaiting, RoleContext } from "./role-context.ts";

interface CloneOptions {
  readonly make: (directory: string) => Promise<Clone>;
  readonly directories: Pick<Directories, "kindOf">;
  readonly opensEarly: ClonesWaiting["opensEarly"];
  /** Directory of the clone of lane 0. */
  readonly first: string;
}

/** A role's clones. */
export interface RoleClones {
  /** The clone of a lane, created or opened when it is first needed. */
  readonly open: RoleContext["clone"];
  /** Removes some; the next `open` creates them again. */
  readonly waiting: ClonesWaiting;
}

/** Opens nothing yet. */
export function roleClones({ make, directories, opensEarly, first }: CloneOptions): RoleClones {
  const clones = new Map<number, Promise<Clone>>();
  const directoryOf = (lane: number) => (lane === 0 ? first : `${first}-${String(lane)}`);
  // It was removed while the role waited, or an engine has removed essential directories of it.
  const isClone = (lane: number) =>
    [".git", ".git/objects", ".git/refs"].every(
      (name) => directories.kindOf(join(directoryOf(lane), name)) === "directory",
    );
  const create = async (lane: number) => {
    const clone = await make(directoryOf(lane));
    // The first clone is repaired when its unit is recovered; nothing else repairs the others.
    if (lane > 0) need(await clone.repair());
    return clone;
  };
  const keep = (lane: number, next: Promise<Clone>) => {
    clones.set(lane, next);
    // A clone that could not be opened is opened again at the next call.
    next.catch(() => clones.get(lane) === next && clones.delete(lane));
    return next;
  };
  const open = (lane = 0) => {
    const known = clones.get(lane);
    const next = known?.then((clone) => (isClone(lane) ? clone : create(lane))) ?? create(lane);
    return keep(lane, next);
  };
  // If it fails, the clone is still whole, and is tried again when the role waits again.
  const restOne = async (lane: number, known: Promise<Clone>) => {
    const clone = await known;
    if (isClone(lane)) await clone.rest();
    return clone;
  };
  const rest = async () => {
    const resting = [...clones].map(([lane, known]) => keep(lane, restOne(lane, known)));
    await Promise.allSettled(resting);
  };
  return { open, waiting: { opensEarly, rest } };
}
