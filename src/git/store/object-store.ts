import type { Oid } from "../../base/oid.ts";
import type { Locks } from "../../base/ports/locks.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { storeDirectory } from "../../fs-protocol/home/shared-objects.ts";

/**
 * One copy of a repository's objects, from which the clones of all its sessions borrow. Only wisp
 * writes into it, and nothing is ever removed from it: it goes as a whole, when no clone is left.
 */
export interface ObjectStore {
  /** A bare repository in wisp's state directory. */
  readonly directory: string;
  readonly locks: Pick<Locks, "takeLease">;
}

/** What a clone needs to be in the store. */
export interface NeededCommit {
  /** The top of the user's repository. */
  readonly hub: string;
  readonly commit: Oid;
}

/** The store from which a session's clones borrow; undefined if they have copies of their own. */
export function storeOf(
  session: Pick<SessionJson, "state" | "parent" | "sandbox">,
  { locks }: Pick<ObjectStore, "locks">,
): ObjectStore | undefined {
  const directory = storeDirectory(session);
  return directory === undefined ? undefined : { directory, locks };
}
