import { dirname, join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { NotWrittenHere } from "../../home/write-fence.ts";
import type { LeaseHeld } from "../../base/ports/locks.ts";
import type { Result } from "../../base/result.ts";
import { storeBeside } from "../../fs-protocol/home/shared-objects.ts";
import { forgetMirror } from "../../git/repository/mirror-ref.ts";
import { removeUnused } from "../../git/store/remove-store.ts";
import { removeEmptyDirectories } from "../../host/files/empty-directories.ts";
import { whyKept, type KeepReason, type PruneLimits } from "../../session/rules/why-kept.ts";
import { ownsHome, type KeptSession } from "../../workspace/disk/kept-sessions.ts";
import { pruneFacts } from "../../workspace/disk/prune-facts.ts";
import { hasClonesBeside } from "../../workspace/has-clones.ts";
import { pointToNewest } from "../../workspace/point-current.ts";
import { withAllLeases } from "../../workspace/session/session-leases.ts";
import { currentLink, type FoundSession } from "../../workspace/sessions.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { realPath } from "../../host/files/node-links.ts";
import { knownRedPath } from "../../home/known-red.ts";
import { rememberedPath } from "../start/trust-commands.ts";
import { isTemporaryName } from "../../host/files/write-atomically.ts";
import { notePath } from "../../workspace/known-repositories.ts";
import { namesIn } from "../../host/files/entry-kind.ts";
import type { HeldClone } from "../close/held-clone.ts";
import { removeClones } from "../close/tear-down.ts";
import { moveAside } from "./move-aside.ts";

/** What became of a session that was to be removed. */
export type Pruned =
  /** `held`: clones that hold what wisp cannot save. */
  | { readonly kind: "kept"; readonly why: KeepReason; readonly held?: readonly HeldClone[] }
  /** `rescues`: references that hold work which only its clones had. */
  | { readonly kind: "removed"; readonly rescues: readonly string[] };

type Machine = Pick<World, "host" | "env" | "program">;

/**
 * Removes the files of a session and of its revisions, if they still may be removed once this process holds all their
 * leases. Work that only a clone has is saved in the repository first. The repository loses nothing.
 */
export async function pruneSession(
  world: Machine,
  kept: KeptSession,
  limits: PruneLimits,
): Promise<Pruned> {
  const begun = await whileAlone(world, kept, () => begin(world, kept, limits));
  if (begun.kind === "kept") return begun;
  for (const path of begun.aside) need(world.host.directories.removeTree(path));
  await removeShared(world, kept);
  return { kind: "removed", rescues: begun.rescues };
}

type Begun =
  | Extract<Pruned, { readonly kind: "kept" }>
  | {
      readonly kind: "begun";
      readonly rescues: readonly string[];
      readonly aside: readonly string[];
    };

async function begin(world: Machine, kept: KeptSession, limits: PruneLimits): Promise<Begun> {
  const facts = await pruneFacts(world, kept, { isLeased: kept.at === "home" });
  const why = whyKept(facts, limits);
  if (why !== undefined) return { kind: "kept", why };
  const torn = kept.at === "orphan" ? undefined : await removeClones(world, kept.found);
  if (torn !== undefined && torn.held.length > 0 && !limits.force) {
    return { kind: "kept", why: "unsaved-work", held: torn.held };
  }
  return { kind: "begun", rescues: torn?.rescues ?? [], aside: moveAside(world, kept) };
}

/** Where there is no home, there is nothing that could hold a lease, and processes are found by their marks instead. */
async function whileAlone(
  world: Machine,
  kept: KeptSession,
  act: () => Promise<Begun>,
): Promise<Begun> {
  const homes = kept.at === "home" ? [kept.found, ...kept.revisions] : [];
  const leased = homes.reduceRight<() => Promise<Begun>>(
    (inner, { home }) =>
      async () => {
        const done: Result<Begun, LeaseHeld | FileFailure | NotWrittenHere> = await withAllLeases(
          world.host,
          home,
          inner,
        );
        if (done.ok) return done.value;
        switch (done.failure.kind) {
          case "lease-held":
            return { kind: "kept", why: "at-work" };
          case "mirror-is-read-only":
          case "moved-away":
            return { kind: "kept", why: "mirrors" };
          case "file":
            return need(done);
        }
      },
    act,
  );
  return leased();
}

/** What sessions share is removed with the last one that needs it, and so is the link to the newest. */
async function removeShared(world: Machine, kept: KeptSession): Promise<void> {
  const { session } = kept.found;
  const { locks } = world.host;
  const store = { directory: storeBeside(session), locks };
  const isNeeded = () => hasClonesBeside(world, session);
  need(await removeUnused(gitContext(world), store, isNeeded));
  if (kept.at === "home") {
    const { repository: directory, id } = session;
    need(await forgetMirror(gitContext(world), { directory, session: id }));
  }
  if (kept.at === "orphan") removeRepositoryFolder(world, dirname(session.state));
  else if (ownsHome(kept)) pointElsewhere(world, session);
}

/** Nothing remembers a repository that is gone once its last session is removed. */
function removeRepositoryFolder({ host: { files } }: Machine, folder: string): void {
  if (namesIn(folder).some((name) => !name.startsWith("."))) return;
  const store = storeBeside({ state: join(folder, "any") });
  // Of a repository that is gone, nothing is written any more.
  const temporaries = namesIn(folder)
    .filter(isTemporaryName)
    .map((name) => join(folder, name));
  const own = [rememberedPath(folder), knownRedPath(folder), `${store}.lock`, `${store}.lock.json`];
  own.push(notePath(folder), ...temporaries);
  for (const path of own) need(files.remove(path));
  removeEmptyDirectories(folder, folder);
}

/** The link to the newest session must lead to one that is there. */
export function pointElsewhere(
  { host: { files, directories } }: Machine,
  { repository }: Pick<FoundSession["session"], "repository">,
): void {
  const link = currentLink(repository);
  if (directories.kindOf(link) !== "other" || realPath(link) !== undefined) return;
  need(files.remove(link));
  need(pointToNewest(files, repository));
}
