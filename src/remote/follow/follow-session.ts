import {
  LINK_BACKOFF_MS_MAX,
  LINK_BACKOFF_MS_MIN,
  LINK_SILENCE_MS_MAX,
} from "../../base/limits.ts";
import {
  ExecutorUnreachable,
  PlaceGone,
  type Executor,
  type ExecutorFailure,
  type Place,
} from "../../base/ports/executor.ts";
import type { Clock } from "../../base/ports/clock.ts";
import type { ProgramInput } from "../../base/ports/programs.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { WorldFailure } from "../../base/fatal.ts";
import { farCommand, type FarProgram } from "../far-program.ts";

/** Takes what the place of a session sends, in one connection. */
export interface Receiver {
  /** The first line that the place is sent: what is here already. */
  readonly request: () => Promise<string>;
  /** Takes the next bytes. A failure ends the connection; the next one goes on from what is here. */
  readonly take: (bytes: Uint8Array) => Promise<Result<void, WorldFailure>>;
  /** Drops what has not arrived whole. */
  readonly close: () => void;
}

/** What a follower is given. */
export interface Following {
  readonly clock: Clock;
  readonly executor: Executor;
  readonly place: Place;
  readonly program: FarProgram;
  /** The session that was started, never a revision: those are mirrored with it. */
  readonly session: string;
  readonly openReceiver: () => Receiver;
  /** Called before each connection: makes sure that the session goes on there. */
  readonly onConnecting: () => Promise<Result<void, ExecutorFailure>>;
  /** Called when a connection has ended, with the reason, and before the next attempt. */
  readonly onTrouble: (failure: WorldFailure) => void;
  readonly signal: AbortSignal;
}

/**
 * Follows a session until `signal` aborts: connects, takes what the place sends, and connects again when the link
 * breaks, however often. Ends with a failure only if the place is gone.
 */
export async function followSession(following: Following): Promise<Result<void, PlaceGone>> {
  const { clock, executor, place, onTrouble, signal } = following;
  let backoffMs = LINK_BACKOFF_MS_MIN;
  while (!signal.aborted) {
    const beganMs = clock.nowMs();
    const ended = await connect(following);
    if (isOver(signal)) break;
    if (!ended.ok) onTrouble(ended.failure);
    const status = await executor.status(place);
    const isGone = status.ok && status.value.kind === "gone";
    if (isGone) return fail(PlaceGone({ executor: executor.name, place: place.id }));
    // A link that held for a while is no longer the one that failed again and again.
    const hasHeld = clock.nowMs() - beganMs > LINK_SILENCE_MS_MAX;
    backoffMs = hasHeld ? LINK_BACKOFF_MS_MIN : Math.min(2 * backoffMs, LINK_BACKOFF_MS_MAX);
    await clock.sleep(backoffMs, signal);
  }
  return ok(undefined);
}

/** A signal may abort during any wait, which the compiler does not know. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** One connection, until it breaks. */
async function connect(following: Following): Promise<Result<void, WorldFailure>> {
  const { executor, place, program, session, onConnecting, signal } = following;
  const ready = await onConnecting();
  if (!ready.ok) return ready;
  const receiver = following.openReceiver();
  const request = await receiver.request();
  const link = new Link(following.clock, signal);
  const taking: { last: Result<void, WorldFailure> } = { last: ok(undefined) };
  const onStdout = async (bytes: Uint8Array) => {
    link.heard();
    if (taking.last.ok) taking.last = await receiver.take(bytes);
    if (!taking.last.ok) link.cut();
  };
  const words = ["far", "mirror", session];
  const command = farCommand(place, program, { cwd: program.repository, words });
  const stdin = openInput(request, link.signal);
  const ran = await executor.exec(place, command, { stdin, onStdout, signal: link.signal });
  link.end();
  receiver.close();
  if (!taking.last.ok) return taking.last;
  if (!ran.ok) return ran;
  const said = ran.value.stderr.trim().split("\n").at(-1) ?? "";
  const detail = link.isSilent ? "the connection was silent" : said === "" ? "it ended" : said;
  return fail(ExecutorUnreachable({ executor: executor.name, detail }));
}

/** The request, and then nothing until the connection ends: its end is how the place learns that nobody reads on. */
async function* openInput(
  request: string,
  signal: AbortSignal,
): ProgramInput & AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${request}\n`);
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** The life of one connection: ended from outside, by silence, or by us. */
class Link {
  readonly #ended = new AbortController();
  readonly #clock: Clock;
  #heardMs: number;
  isSilent = false;

  constructor(clock: Clock, outer: AbortSignal) {
    this.#clock = clock;
    this.#heardMs = clock.nowMs();
    outer.addEventListener("abort", () => this.cut(), { once: true, signal: this.#ended.signal });
    void this.#watchSilence();
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  heard(): void {
    this.#heardMs = this.#clock.nowMs();
  }

  cut(): void {
    this.#ended.abort();
  }

  end(): void {
    this.#ended.abort();
  }

  async #watchSilence(): Promise<void> {
    while (!this.signal.aborted) {
      const silentMs = this.#clock.nowMs() - this.#heardMs;
      this.isSilent = silentMs >= LINK_SILENCE_MS_MAX;
      if (this.isSilent) this.cut();
      else await this.#clock.sleep(LINK_SILENCE_MS_MAX - silentMs, this.signal);
    }
  }
}
