import {
  catchError,
  distinctUntilChanged,
  fromEvent,
  interval,
  merge,
  NEVER,
  Subject,
  switchMap,
  takeUntil,
} from "rxjs";
import { BEAT_MS, MIRROR_GATHER_MS, SWEEP_MS } from "../../base/limits.ts";
import { attempted, need } from "../../base/fatal.ts";
import { FileFailure } from "../../base/ports/files.ts";
import { fail } from "../../base/result.ts";
import type { Clock } from "../../base/ports/clock.ts";
import { watchHints } from "../../streams/watch-hints.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import type { MirrorRequest } from "./frame.ts";
import { MirrorSender } from "./send-mirror.ts";
import type { Send } from "./sent-file.ts";

/** One follower, as its connection shows it. */
export interface Follower {
  readonly request: MirrorRequest;
  readonly send: Send;
  /** Aborts when nobody reads any more. */
  readonly gone: AbortSignal;
}

/** How often a home that changes is looked at to send it once. */
const LOOKS_MAX = 1_000;

/**
 * Sends a follower what it lacks of a session, and nothing that comes later. Throws `CannotGoOn` if a file cannot be
 * read, or does not keep still.
 */
export async function sendOnce(
  world: World,
  found: FoundSession,
  { request, send }: Pick<Follower, "request" | "send">,
): Promise<void> {
  const sender = new MirrorSender(world, found, send);
  await sender.greet(request);
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const { isWhole } = await sender.look(true);
    if (isWhole) return;
    await world.host.clock.sleep(MIRROR_GATHER_MS);
  }
  const path = found.home.directory;
  need(fail(FileFailure({ operation: "read", path, errno: "EBUSY" })));
}

/** Sends a session to a follower until that is gone: at once what it lacks, then every change. */
export async function serveMirror(
  world: World,
  found: FoundSession,
  { request, send, gone }: Follower,
): Promise<void> {
  const { clock, watcher } = world.host;
  const sender = new MirrorSender(world, found, send);
  await sender.greet(request);
  const directories$ = new Subject<readonly string[]>();
  const wake = new Wake(gone);
  const watched$ = directories$.pipe(
    distinctUntilChanged((one, other) => one.join("\n") === other.join("\n")),
    switchMap((directories) => watchHints(watcher, directories)),
    // Without hints it is looked at with each beat.
    catchError(() => NEVER),
  );
  const over$ = fromEvent(gone, "abort");
  const hinted = merge(watched$, interval(BEAT_MS))
    .pipe(takeUntil(over$))
    .forEach(() => wake.up());
  const full = new Due(clock, SWEEP_MS, 0);
  const beat = new Due(clock, BEAT_MS, clock.nowMs());
  while (!gone.aborted) {
    const { directories, isWhole } = await beating(sender, () => sender.look(full.isDue()));
    directories$.next(directories);
    wake.upIf(!isWhole);
    wake.upIf(await sender.beat(beat.isDue()));
    await wake.next();
    // What changes together is looked at together.
    await clock.sleep(MIRROR_GATHER_MS, gone);
  }
  await hinted;
}

/** Gives signs of life as long as something takes, such as the bundle of a long history. */
async function beating<T>(sender: MirrorSender, work: () => Promise<T>): Promise<T> {
  const done$ = new Subject<void>();
  const beats = interval(BEAT_MS)
    .pipe(takeUntil(done$))
    // What makes a beat fail makes the work fail, too.
    .forEach(() => void attempted(() => sender.beat(true)));
  try {
    return await work();
  } finally {
    done$.next();
    await beats;
  }
}

/** Something that is due again and again. */
class Due {
  readonly #clock: Clock;
  readonly #everyMs: number;
  #lastMs: number;

  constructor(clock: Clock, everyMs: number, lastMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#lastMs = lastMs;
  }

  isDue(): boolean {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#lastMs < this.#everyMs) return false;
    this.#lastMs = nowMs;
    return true;
  }
}

/** Remembers that there is something to look at. */
class Wake {
  #isUp = false;
  #resolve: (() => void) | undefined;

  constructor(gone: AbortSignal) {
    gone.addEventListener("abort", () => this.up(), { once: true });
  }

  up(): void {
    this.#isUp = true;
    this.#resolve?.();
  }

  upIf(isNeeded: boolean): void {
    if (isNeeded) this.up();
  }

  /** Resolves once there was a hint since the last call. */
  async next(): Promise<void> {
    if (!this.#isUp) {
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
    }
    this.#isUp = false;
    this.#resolve = undefined;
  }
}
