/** What a far command prints on its standard output before its own words, on a line that may have a beginning. */
export const BEGIN_MARK = "[wisp: it begins]\n";

const MARK = Buffer.from(BEGIN_MARK);

/** Drops what a shell there prints while it starts, up to and with the mark, and passes on the rest unchanged. */
export class BegunOutput {
  readonly #onStdout: (bytes: Uint8Array) => void | Promise<void>;
  #before: Buffer | undefined = Buffer.alloc(0);

  constructor(onStdout: (bytes: Uint8Array) => void | Promise<void> = () => undefined) {
    this.#onStdout = onStdout;
  }

  /** Whether the mark came: only then has the command been run. */
  get hasBegun(): boolean {
    return this.#before === undefined;
  }

  /** Takes the next bytes. */
  take(bytes: Uint8Array): void | Promise<void> {
    if (this.#before === undefined) return this.#onStdout(bytes);
    const heard = Buffer.concat([this.#before, bytes]);
    const at = heard.indexOf(MARK);
    if (at === -1) {
      // No more than may be the beginning of the mark.
      this.#before = heard.subarray(Math.max(0, heard.length - MARK.length + 1));
      return undefined;
    }
    this.#before = undefined;
    const rest = heard.subarray(at + MARK.length);
    return rest.length === 0 ? undefined : this.#onStdout(rest);
  }
}
