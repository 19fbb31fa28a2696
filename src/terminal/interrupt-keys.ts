import { EXIT } from "../base/exit-code.ts";
import { leasePath, type Home } from "../fs-protocol/home/home.ts";
import { isHolderAlive, readHolder } from "../host/locks/lease-holder.ts";
import type { Host } from "../host/host.ts";
import type { Terminal } from "./terminal.ts";

/** Through what a session is watched. */
interface Watching {
  readonly host: Pick<Host, "files" | "processes">;
  readonly terminal: Pick<Terminal, "err">;
}

/**
 * Ctrl-C while a session is watched: a request to its supervisor, which interrupts the engines and
 * ends the roles. Pressed again, it kills them at once; a third time, this process leaves by itself.
 */
export class InterruptKeys {
  readonly #cli: Watching;
  readonly #lease: string;
  #say: (text: string) => void;
  #isArmed = false;
  #presses = 0;

  constructor(cli: Watching, home: Home) {
    this.#cli = cli;
    this.#lease = leasePath(home, "supervisor");
    this.#say = (text) => cli.terminal.err(text);
    process.on("SIGINT", () => this.press());
  }

  /** Where keys come to us one by one, Ctrl-C is one of them. */
  press(): void {
    this.#presses += 1;
    if (this.#isArmed) this.#pass();
  }

  /** From now on what it says is said there; undefined: in the terminal. */
  sayBy(say: ((text: string) => void) | undefined): void {
    this.#say = say ?? ((text) => this.#cli.terminal.err(text));
  }

  get presses(): number {
    return this.#presses;
  }

  /** A supervisor is there: what was pressed meanwhile is passed on. */
  arm(): void {
    this.#isArmed = true;
    if (this.#presses > 0) this.#pass();
  }

  /** None is there, and another one may come: what is pressed is kept for it. */
  disarm(): void {
    this.#isArmed = false;
  }

  #pass(): void {
    const { host } = this.#cli;
    if (this.#presses > 2) process.exit(EXIT.interrupted);
    const holder = readHolder(host.files, this.#lease);
    // It died just now: what was pressed is for the one that takes over.
    if (holder === undefined || !isHolderAlive(holder)) return;
    host.processes.signal(holder.pid, "SIGTERM");
    this.#say(
      this.#presses === 1
        ? "Stopping: interrupting the engines; what is on record stays. Press Ctrl-C again to stop immediately."
        : "Stopping immediately.",
    );
  }
}
