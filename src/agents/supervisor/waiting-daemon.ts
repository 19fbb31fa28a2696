import type { Daemon } from "../../base/ports/processes.ts";

/**
 * A gated process that loads its code while it is not known yet whether it is needed. Until it is let through it takes
 * no lease and writes nothing, and it ends by itself when the process that started it does.
 */
export class WaitingDaemon {
  #waiting: Daemon | undefined;

  constructor(started: Daemon) {
    this.#waiting = started;
    void started.ended.then(() => {
      this.#waiting = undefined;
    });
  }

  /** Lets the process begin. Undefined if there is none any more; then another one has to be started. */
  begin(): Daemon | undefined {
    const begun = this.#waiting;
    this.#waiting = undefined;
    begun?.gate?.open();
    return begun;
  }

  /** Lets the process end if it has not begun. */
  dismiss(): void {
    this.#waiting?.gate?.close();
    this.#waiting = undefined;
  }
}
