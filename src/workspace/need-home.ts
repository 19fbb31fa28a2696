import { CannotGoOn, need } from "../base/fatal.ts";
import type { FileFailure } from "../base/ports/files.ts";
import type { LeaseHeld } from "../base/ports/locks.ts";
import { type Result } from "../base/result.ts";
import type { World } from "./world.ts";
import { homeDamaged } from "./cause-in-home.ts";
import { shorterThanCopy } from "./home/home-shape.ts";
import { shownPath } from "./shown-path.ts";
import { restoreCopies } from "./home/restore-home.ts";
import { withAllLeases } from "./session/session-leases.ts";
import type { NotWrittenHere } from "../home/write-fence.ts";
import type { FoundSession } from "./sessions.ts";

/**
 * Checks the home before a session continues. A home with odd entries is refused with a list of them all. Missing files
 * are restored from the copies outside the home and reported; running roles restore them by themselves.
 */
export async function needHome(
  world: World,
  found: FoundSession,
  { dryRun }: { readonly dryRun: boolean },
): Promise<void> {
  const damaged = homeDamaged(found);
  if (damaged !== undefined) throw new CannotGoOn(damaged);
  const missing = shorterThanCopy(found);
  if (missing.length === 0) return;
  const names = missing.map((path) => shownPath(found.home, path));
  if (dryRun) {
    world.tell(`Would restore missing or truncated files: ${names.join(", ")}.`);
    return;
  }
  const put: Result<void, LeaseHeld | FileFailure | NotWrittenHere> = await withAllLeases(
    world.host,
    found.home,
    () => restoreCopies(world.host, found),
  );
  if (!put.ok && put.failure.kind === "lease-held") return;
  need(put);
  for (const name of names) {
    world.tell(`${name} was missing or truncated, and was restored.`);
  }
}
