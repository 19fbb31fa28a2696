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
  type PlaceState,
} from "../../base/ports/executor.ts";
import type { Clock } from "../../base/ports/clock.ts";
import type { ProgramInput } from "../../base/ports/programs.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { WorldFailure } from "../../base/fatal.ts";
import { backoffMs, type Backoff } from "../../streams/retry.ts";
import { farCommand, type FarProgram } from "../far-program.ts";

/** Takes what the place of a session sends, in one connection. */
export interface Receiver {
  /** The first line that the place is sent: what is here already. */
  readonly request: () => Promise<Result<string, WorldFailure>>;
  /** Takes the next bytes. A failure ends the connection; the next one goes on from what is here. */
  readonly take: (bytes: Uint8Array) => Promise<Result<void, WorldFailure>>;
  /** Drops what has not arrived whole. */
  readonly close: () => void;
}

/** What an executor says of a place where nothing runs. */
export type Absent = Exclude<PlaceState["kind"], "up">;

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
  /** Called after that if the executor says that nothing runs at the place, with the words for that. */
  readonly onAbsent: (absent: Absent, failure: ExecutorFailure) => void;
  /** A number in [0, 1), new each time: it spreads the attempts of those whose links broke at once. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** The delays between attempts to reach a place. */
export const LINK_BACKOFF: Backoff = { msMin: LINK_BACKOFF_MS_MIN, msMax: LINK_BACKOFF_MS_MAX };

/**
 * Follows a session until `signal` aborts: connects, takes what the place sends, and connects again when the link
 * breaks, however often. Ends with a failure only if the place is gone.
 */
export async function followSession(following: Following): Promise<Result<void, PlaceGone>> {
  const { clock, onTrouble, random, signal } = following;
  let failures = 0;
  while (!signal.aborted) {
    const { failure, heldMs } = await connect(following);
    if (isOver(signal)) break;
    onTrouble(failure);
    const gone = await lookThere(following);
    if (gone !== undefined) return fail(gone);
    // A link that held for a while is no longer the one that failed again and again.
    failures = heldMs > LINK_SILENCE_MS_MAX ? 1 : failures + 1;
    await clock.sleep(backoffMs(failures, LINK_BACKOFF, random()), signal);
  }
  return ok(undefined);
}

/** Asks about a place of which the link has ended, tells if nothing runs there, and returns that it is gone, if so. */
async function lookThere({
  executor,
  place,
  session,
  onAbsent,
}: Following): Promise<PlaceGone | undefined> {
  const status = await executor.status(place);
  if (!status.ok || status.value.kind === "up") return undefined;
  const { name } = executor;
  if (status.value.kind === "gone") {
    const gone = PlaceGone({ executor: name, place: place.id, session });
    onAbsent("gone", gone);
    return gone;
  }
  const { kind, reason: detail } = status.value;
  onAbsent(kind, ExecutorUnreachable({ executor: name, detail }));
  return undefined;
}

/** A signal may abort during any wait, which the compiler does not know. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** How a connection ended, and for how long it was heard, in ms. */
interface Ended {
  readonly failure: WorldFailure;
  readonly heldMs: number;
}

/** One connection, until it breaks. */
async function connect(following: Following): Promise<Ended> {
  const ready = await following.onConnecting();
  if (!ready.ok) return { failure: ready.failure, heldMs: 0 };
  const receiver = following.openReceiver();
  try {
    const request = await receiver.request();
    if (!request.ok) return { failure: request.failure, heldMs: 0 };
    return await receive(following, receiver, request.value);
  } finally {
    receiver.close();
  }
}

async function receive(following: Following, receiver: Receiver, request: string): Promise<Ended> {
  const { executor, place, program, session, signal } = following;
  const link = new Link(following.clock, signal);
  const taking: { last: Result<void, WorldFailure> } = { last: ok(undefined) };
  const onStdout = async (bytes: Uint8Array) => {
    if (taking.last.ok) taking.last = await link.hearing(() => receiver.take(bytes));
    if (!taking.last.ok) link.cut();
  };
  const words = ["far", "mirror", session];
  const command = farCommand(place, program, { cwd: program.repository, words });
  const stdin = openInput(request, link.signal);
  const ran = await executor.exec(place, command, { stdin, onStdout, signal: link.signal });
  link.cut();
  const { heldMs } = link;
  if (!taking.last.ok) return { failure: taking.last.failure, heldMs };
  if (!ran.ok) return { failure: ran.failure, heldMs };
  const said = ran.value.stderr.trim().split("\n").at(-1) ?? "";
  const detail = link.isSilent ? "the connection was silent" : said === "" ? "it ended" : said;
  return { failure: ExecutorUnreachable({ executor: executor.name, detail }), heldMs };
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
  #firstMs: number | undefined;
  #isTaking = false;
  isSilent = false;

  constructor(clock: Clock, outer: AbortSignal) {
    this.#clock = clock;
    this.#heardMs = clock.nowMs();
    outer.addEventListener("abort", () => this.cut(), { once: true, signal: this.#ended.signal });
    // It may have aborted while the connection was prepared.
    if (outer.aborted) this.cut();
    void this.#watchSilence();
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** From the first bytes to the last ones. */
  get heldMs(): number {
    return this.#firstMs === undefined ? 0 : this.#heardMs - this.#firstMs;
  }

  /** Takes what was heard. While that takes its time here, nothing more can be heard: that is no silence. */
  async hearing<T>(take: () => Promise<T>): Promise<T> {
    this.#heardMs = this.#clock.nowMs();
    this.#firstMs ??= this.#heardMs;
    this.#isTaking = true;
    try {
      return await take();
    } finally {
      this.#isTaking = false;
      this.#heardMs = this.#clock.nowMs();
    }
  }

  cut(): void {
    this.#ended.abort();
  }

  async #watchSilence(): Promise<void> {
    while (!this.signal.aborted) {
      const silentMs = this.#isTaking ? 0 : this.#clock.nowMs() - this.#heardMs;
      this.isSilent = silentMs >= LINK_SILENCE_MS_MAX;
      if (this.isSilent) this.cut();
      else await this.#clock.sleep(LINK_SILENCE_MS_MAX - silentMs, this.signal);
    }
  }
}
