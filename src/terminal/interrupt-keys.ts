import { EXIT } from "../base/exit-code.ts";
import { leasePath, type Home } from "../fs-protocol/home/home.ts";
import { isHolderAlive, readHolder } from "../host/locks/lease-holder.ts";
import type { Host } from "../host/host.ts";
import type { Terminal } from "./terminal.ts";

/** The context of watching a session. */
interface Watching {
  readonly host: Pick<Host, "files" | "processes">;
  readonly terminal: Pick<Terminal, "err">;
}

/**
 * Ctrl-C while a session is watched: the first asks its supervisor to interrupt the engines and end
 * the roles, the second kills them at once, and the third exits this process.
 */
export class InterruptKeys {
  readonly #watching: Watching;
  readonly #lease: string;
  #say: (text: string) => void;
  #isArmed = false;
  #presses = 0;

  constructor(watching: Watching, home: Home) {
    this.#watching = watching;
    this.#lease = leasePath(home, "supervisor");
    this.#say = (text) => watching.terminal.err(text);
    process.on("SIGINT", () => this.press());
  }

  /** Also called for Ctrl-C in raw mode, which sends no signal. */
  press(): void {
    this.#presses += 1;
    if (this.#isArmed) this.#pass();
  }

  /** From now on, messages go to `say`; undefined: to the terminal. */
  sayBy(say: ((text: string) => void) | undefined): void {
    this.#say = say ?? ((text) => this.#watching.terminal.err(text));
  }

  get presses(): number {
    return this.#presses;
  }

  /** A supervisor is running: earlier presses are passed on to it. */
  arm(): void {
    this.#isArmed = true;
    if (this.#presses > 0) this.#pass();
  }

  /** No supervisor is running, but another one may start: presses are kept for it. */
  disarm(): void {
    this.#isArmed = false;
  }

  #pass(): void {
    const { host } = this.#watching;
    if (this.#presses > 2) process.exit(EXIT.interrupted);
    const holder = readHolder(host.files, this.#lease);
    // It has just died: the presses are kept for its replacement.
    if (holder === undefined || !isHolderAlive(holder)) return;
    host.processes.signal(holder.pid, "SIGTERM");
    this.#say(
      this.#presses === 1
        ? "Stopping: interrupting the engines; what is on record stays. Press Ctrl-C again to stop immediately."
        : "Stopping immediately.",
    );
  }
}
