import { reconcileProjections } from "../../agents/home-projections.ts";
import { editKeeper } from "../../home/edit-keeper.ts";
import { need } from "../../base/fatal.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import { refuseRepair, type NotWrittenHere } from "../../home/write-fence.ts";
import { copyPath } from "../../fs-protocol/home/copy-path.ts";
import type { LeaseHeld } from "../../base/ports/locks.ts";
import type { Result } from "../../base/result.ts";
import { linesToKeep, dropsForeignLine } from "../../session/check/check-projection.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { Host } from "../../host/host.ts";
import { removeLeftover } from "../../host/files/leftovers.ts";
import { sealTail } from "../../host/files/seal-tail.ts";
import { clearKilledStarts } from "../start/clear-starts.ts";
import type { World } from "../../workspace/world.ts";
import { lostLogs } from "../../workspace/home/home-shape.ts";
import { inspectHome, type Inspection } from "../../workspace/home/inspect-home.ts";
import { pointToNewest } from "../../workspace/point-current.ts";
import { clearLocks, restoreHome, type MovedAside } from "../../workspace/home/restore-home.ts";
import { remakePlans } from "./remake-plans.ts";
import { withAllLeases } from "../../workspace/session/session-leases.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** A home before and after its repair. */
export interface Repair {
  readonly before: Inspection;
  readonly after: Inspection;
  /** What occupied the place of something else, and where it is now. */
  readonly moved: readonly MovedAside[];
}

/**
 * Repairs what is certain: files derived from the logs, torn tails, and what killed processes left.
 * Requires that no role is working: holds all leases of the session, or fails with a holder. Records are
 * never changed, and unknown lines stay where they are.
 */
export async function repairHome(
  world: Pick<World, "host" | "env" | "tell">,
  found: FoundSession,
): Promise<Result<Repair, LeaseHeld | FileFailure | NotWrittenHere>> {
  const { host } = world;
  const copy = copyPath(found.session, "humanLog");
  const allowed = () => refuseRepair(host.files, found.home, copy);
  const own = allowed();
  if (!own.ok) return own;
  const before = await inspectHome(world, found, { own: false });
  const cleared = await clearLocks(host, found);
  if (!cleared.ok) return cleared;
  const repair = async () => {
    const moved = [...cleared.value, ...(await restoreHome(host, found))];
    await remakePlans(world, found);
    const shaped = await inspectHome(world, found, { own: true });
    await clearKilledStarts(world, found.session.repository);
    // The remains of a lost log are the only evidence of it.
    if (lostLogs(found).length === 0) await repairFiles(host, found, shaped);
    return { before, after: await inspectHome(world, found, { own: true }), moved };
  };
  return withAllLeases(host, found.home, repair, allowed);
}

async function repairFiles(
  host: Host,
  found: FoundSession,
  { issues, files, leftovers }: Inspection,
) {
  const { home, session } = found;
  const edits = editKeeper(host.files, home);
  for (const file of files.projections) {
    const kept = linesToKeep(file);
    if (kept === undefined) continue;
    if (dropsForeignLine(file)) edits.restore(file.path, kept);
    // What appeared since the inspection belongs to somebody else too.
    else need(host.files.replace(file.path, kept, () => edits.keep(file.path, file.bytes)));
  }
  await reconcileProjections(host, home, session);
  if (files.expectedTasks !== undefined && files.expectedTasks !== files.tasks) {
    edits.restore(home.tasks, Buffer.from(files.expectedTasks));
  }
  if (files.expectedHint !== undefined && files.expectedHint !== files.stuckHint) {
    edits.restore(home.stuckHint, Buffer.from(files.expectedHint));
  }
  for (const { kind, path } of issues) {
    if (kind === "torn-tail") await seal(host, home, path);
    if (kind === "current-link") need(pointToNewest(host.files, session.repository));
  }
  for (const leftover of leftovers) need(removeLeftover(leftover));
}

/** Only `human.log` has writers other than the holders of the leases. */
async function seal({ locks }: Pick<Host, "locks">, home: Home, path: string): Promise<void> {
  need(
    path === home.humanLog
      ? need(await locks.withLock(path, () => sealTail(path)))
      : sealTail(path),
  );
}
