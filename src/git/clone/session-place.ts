import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { refsDirectory } from "../../fs-protocol/home/state-places.ts";
import type { HubRepo } from "../repository/hub.ts";
import { storeOf, type ObjectStore } from "../store/object-store.ts";
import type { CloneOptions } from "./create-clone.ts";

/** What every clone and verify tree of a session has in common: all but its directory. */
export type SessionPlace = Omit<CloneOptions, "directory">;

/** Where the clones of a session take commits, objects and references from, and whom their commits name. */
export function sessionPlace(
  session: SessionJson,
  { hub, locks }: { readonly hub: HubRepo } & Pick<ObjectStore, "locks">,
): SessionPlace {
  const { branch, id, identity, base, setup } = session;
  const refs = { directory: refsDirectory(session), base };
  return { hub, branch, session: id, identity, store: storeOf(session, { locks }), refs, setup };
}
