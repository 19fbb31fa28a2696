import type { Command, Daemon, Processes } from "../../base/ports/processes.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { daemonMark } from "./daemon-mark.ts";
import { WaitingDaemon } from "./waiting-daemon.ts";

/** The word that makes a supervisor's process wait at its gate. */
const GATED_OPTION = "--when-told";

/** Where a session is expected to be, and how its supervisor is started. */
export interface ExpectedSession {
  readonly home: Home;
  readonly supervisor: Command;
}

/**
 * A supervisor's process that is started before its session is created: it loads its code meanwhile. There is no
 * folder yet for its output, of which it takes hold itself when it is let through.
 */
export class EarlySupervisor {
  readonly #directory: string;
  readonly #waiting: WaitingDaemon | undefined;

  constructor(processes: Pick<Processes, "daemon">, { home, supervisor }: ExpectedSession) {
    this.#directory = home.directory;
    const started = processes.daemon({
      ...supervisor,
      argv: [...supervisor.argv, GATED_OPTION],
      ...{ isGated: true, mark: daemonMark(home, "supervisor") },
    });
    // If it cannot be started now, the failure is reported when the supervisor is due.
    this.#waiting = started.ok ? new WaitingDaemon(started.value) : undefined;
  }

  /** Lets the process begin, if it was started for this home and is still there. */
  begin(home: Home): Daemon | undefined {
    return home.directory === this.#directory ? this.#waiting?.begin() : undefined;
  }

  /** Lets the process end if it has not begun. */
  dismiss(): void {
    this.#waiting?.dismiss();
  }
}
