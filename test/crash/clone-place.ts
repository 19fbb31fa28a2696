import { join } from "node:path";
import type { Clone, GitFailure } from "../../src/base/ports/repo.ts";
import type { Result } from "../../src/base/result.ts";
import { createClone } from "../../src/git/clone/create-clone.ts";
import type { GitContext } from "../../src/git/command/git-environment.ts";
import { openHub, type HubRepo } from "../../src/git/repository/hub.ts";
import type { ObjectStore } from "../../src/git/store/object-store.ts";
import { createNodeDirectories } from "../../src/host/files/node-directories.ts";
import { createNodeFiles } from "../../src/host/files/node-files.ts";
import { createNodeLocks } from "../../src/host/locks/node-locks.ts";
import { systemClock } from "../../src/host/system/system-clock.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

const IDENTITY = { name: "Ada Lovelace", email: "ada@example.org" };

/** A user's repository with the clones of a session, as any process of wisp sees it. */
export interface ClonePlaces {
  readonly context: GitContext;
  readonly store: ObjectStore;
  readonly hub: HubRepo;
  readonly directoryOf: (role: string) => string;
  /** Opens or makes a role's clone, which borrows from the store unless it has copies of its own. */
  readonly open: (role: string, hasOwn?: boolean) => Promise<Result<Clone, GitFailure>>;
}

/** The places below a folder of `createRig`. */
export function clonePlaces(root: string, branch: string): ClonePlaces {
  const files = createNodeFiles();
  const context: GitContext = {
    files,
    directories: createNodeDirectories(),
    clock: systemClock,
    environment: ownEnvironment({ HOME: join(root, "home") }),
  };
  const locks = createNodeLocks({ files, clock: systemClock });
  const store = { directory: join(root, "state", ".objects"), locks };
  const hub = openHub(context, join(root, "hub"));
  const directoryOf = (role: string) => join(root, "state", "first", role, "clone");
  const open = async (role: string, hasOwn = false) => {
    const base = (await hub.head("main")) ?? "";
    const refs = { directory: join(root, "state", "first", "refs"), base };
    const place = { hub, branch, directory: directoryOf(role), session: "first", setup: [] };
    const shared = hasOwn ? {} : { store };
    return createClone(context, { ...place, identity: IDENTITY, refs, ...shared });
  };
  return { context, store, hub, directoryOf, open };
}
