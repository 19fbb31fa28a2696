import { CannotGoOn } from "../../base/fatal.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { SupervisorRecord } from "../../fs-protocol/records/supervisor-log.ts";
import type { Journal } from "../work/journal.ts";
import { restoredRecord } from "../home/restored-record.ts";
import type { Ports } from "../work/role-context.ts";
import type { SharedFiles } from "../home/shared-files.ts";

interface Parts {
  readonly shared: SharedFiles;
  readonly journal: Journal<SupervisorRecord>;
  readonly home: Home;
  readonly ports: Ports;
}

/** Puts back what somebody took of what people said, and puts on record what was put back. */
export async function lookAtShared({ shared, journal, home, ports }: Parts): Promise<void> {
  try {
    const restored = await shared.look();
    const where = { home, clock: ports.clock };
    // Also without any: what the guard of the log itself put back waits for an append.
    journal.append(...restored.map((one) => restoredRecord(one, where)));
  } catch (thrown) {
    // A full disk keeps nobody from being supervised; the roles look as well.
    if (!(thrown instanceof CannotGoOn)) throw thrown;
  }
}
