import { dirname, join } from "node:path";
import type { SessionJson } from "./session-json.ts";

/**
 * The store of the objects that the clones of a repository's sessions share: next to the sessions,
 * under a name that none has. Undefined if the session's engines or commands are not confined,
 * because they could then write into it: its clones have copies of their own.
 */
export function storeDirectory({
  state,
  parent,
  sandbox,
}: Pick<SessionJson, "state" | "parent" | "sandbox">): string | undefined {
  if (sandbox === undefined || sandbox.kind === "none" || !sandbox.commands) return undefined;
  return storeBeside({ state, parent });
}

/** The place of that store, whether or not the session uses it. */
export function storeBeside({ state, parent }: Pick<SessionJson, "state" | "parent">): string {
  return join(dirname(parent?.state ?? state), ".objects");
}

/**
 * The objects in a store. The folder is not called `objects`: git would then start another git in
 * the store at each fetch into a clone, to ask for the references there.
 */
export function sharedObjects(store: string): string {
  return join(store, "shared");
}
