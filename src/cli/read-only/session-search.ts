import type { Cli } from "../../terminal/cli.ts";
import { readKnownSession, type KnownWithGaps } from "../../views/why/read-known-session.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** The sessions in which something is searched, each read when it is its turn, and only once. */
export class SessionSearch {
  /** The work tree whose HEAD is meant. */
  readonly top: string;
  readonly #cli: Cli;
  /** Newest first. */
  readonly #found: readonly FoundSession[];
  /** Homes that are no session, in sentences. */
  readonly #damaged: readonly string[];
  readonly #read = new Map<FoundSession, KnownWithGaps>();

  constructor(
    cli: Cli,
    {
      top,
      found,
      damaged,
    }: {
      readonly top: string;
      readonly found: readonly FoundSession[];
      readonly damaged: readonly string[];
    },
  ) {
    this.top = top;
    this.#cli = cli;
    this.#found = found;
    this.#damaged = damaged;
  }

  /** The sessions, newest first. */
  async *sessions(): AsyncGenerator<KnownWithGaps> {
    for (const found of this.#found) {
      const read = this.#read.get(found) ?? (await readKnownSession(this.#cli, found));
      this.#read.set(found, read);
      yield read;
    }
  }

  /** The first session that a condition holds for. */
  async first(holds: (read: KnownWithGaps) => boolean): Promise<KnownWithGaps | undefined> {
    for await (const read of this.sessions()) if (holds(read)) return read;
    return undefined;
  }

  /** The names of all sessions, and what could not be read of any of them. */
  async summary(): Promise<{
    readonly searched: readonly string[];
    readonly unread: readonly string[];
  }> {
    const unread: string[] = [...this.#damaged];
    for await (const read of this.sessions()) {
      unread.push(...read.unread.map((problem) => `${read.known.id}: ${problem}`));
    }
    return { searched: this.#found.map(({ session }) => session.id), unread };
  }
}
