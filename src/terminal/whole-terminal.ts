/** The streams of a terminal. */
export interface TerminalStreams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/*
 * The alternate screen, so that the terminal's content is back afterwards; then whatever another program may have left:
 * colours, another character set, a scroll region, an origin, reports of the mouse. The cursor is hidden, characters that
 * turn out wider than measured do not move the rest to the next row, and pasted text is marked.
 */
const ENTER = [
  "\u001B[?1049h",
  ...["\u001B[0m", "\u001B(B", "\u000F", "\u001B[r", "\u001B[?6l"],
  ...["\u001B[?1000l", "\u001B[?1002l", "\u001B[?1003l", "\u001B[?1006l"],
  ...["\u001B[?25l", "\u001B[?7l", "\u001B[?2004h", "\u001B[2J"],
].join("");
const LEAVE = "\u001B[2J\u001B[?2004l\u001B[?7h\u001B[?25h\u001B[?1049l";

const SUSPENDED = "The session goes on. To come back to its screen: fg\n";

/** If nothing has stopped this process by then, nobody could continue it, and it goes on. */
const STOP_MS = 50;

/**
 * A terminal that is used as a whole, in raw mode. When the process is suspended, the terminal is as it was before, and
 * when the process goes on, it is set up again.
 */
export class WholeTerminal {
  readonly #streams: TerminalStreams;
  readonly #onReturn: () => void;
  #isOpen = false;
  #isEntered = false;

  /** @param onReturn draws everything, because nothing is on the terminal any more */
  constructor(streams: TerminalStreams, onReturn: () => void) {
    this.#streams = streams;
    this.#onReturn = onReturn;
  }

  /** Whether it is set up; not while the process is suspended. */
  get isEntered(): boolean {
    return this.#isEntered;
  }

  open(): void {
    this.#isOpen = true;
    this.#enter();
    process.on("SIGTSTP", this.#stopAlone).on("SIGCONT", this.repair);
  }

  close(): void {
    this.#isOpen = false;
    process.off("SIGTSTP", this.#stopAlone).off("SIGCONT", this.repair);
    this.#leave();
  }

  /** Sets the terminal up again, whatever others have done to it. */
  readonly repair = (): void => {
    this.#streams.stdin.setRawMode(false);
    this.#enter();
    this.#onReturn();
    // Its size may have changed while the process was stopped; then Node tells of it.
    process.kill(process.pid, "SIGWINCH");
  };

  /** Suspends the whole job, as a terminal does that is not in raw mode. */
  suspend(): void {
    this.#suspend(0);
  }

  readonly #stopAlone = (): void => {
    this.#suspend(process.pid);
  };

  #suspend(pid: number): void {
    this.#leave();
    this.#streams.stdout.write(SUSPENDED);
    // Only a signal without a listener stops the process.
    process.off("SIGTSTP", this.#stopAlone);
    process.kill(pid, "SIGTSTP");
    setTimeout(() => this.#goOn(), STOP_MS);
  }

  #goOn(): void {
    if (!this.#isOpen) return;
    process.on("SIGTSTP", this.#stopAlone);
    if (!this.#isEntered) this.repair();
  }

  #enter(): void {
    this.#isEntered = true;
    // First, because it stops a process in the background until it may use the terminal.
    this.#streams.stdin.setRawMode(true);
    this.#streams.stdout.write(ENTER);
  }

  #leave(): void {
    if (!this.#isEntered) return;
    this.#isEntered = false;
    this.#streams.stdin.setRawMode(false);
    this.#streams.stdout.write(LEAVE);
  }
}
