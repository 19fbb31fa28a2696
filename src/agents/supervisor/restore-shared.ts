import { CannotGoOn } from "../../base/fatal.ts";
import type { Lease } from "../../base/ports/locks.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { SupervisorRecord } from "../../fs-protocol/records/supervisor-log.ts";
import type { Journal } from "../../work/journal.ts";
import { restoredRecord } from "../../home/restored-record.ts";
import type { Ports } from "../../work/role-context.ts";
import type { SharedFiles } from "../../home/shared-files.ts";

interface Parts {
  readonly shared: SharedFiles;
  readonly journal: Journal<SupervisorRecord>;
  readonly home: Home;
  readonly ports: Ports;
}

/**
 * Restores the lock file of the supervisor and the files that people write if another process damaged them, and
 * records which of the latter were restored.
 */
export async function restoreShared(
  { shared, journal, home, ports }: Parts,
  lease: Lease,
): Promise<void> {
  await lease.keep();
  try {
    const restored = await shared.restoreChanged();
    const where = { home, clock: ports.clock };
    // Also if nothing was restored here: what the guard of the log itself restored waits for an append.
    journal.append(...restored.map((one) => restoredRecord(one, where)));
  } catch (thrown) {
    // A full disk must not end the supervision, and the roles restore these files, too.
    if (!(thrown instanceof CannotGoOn)) throw thrown;
  }
}
