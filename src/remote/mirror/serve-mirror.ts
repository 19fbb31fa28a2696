import { interval, merge, Subject, switchMap } from "rxjs";
import { BEAT_MS, MIRROR_GATHER_MS, SWEEP_MS } from "../../base/limits.ts";
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
  const watching = merge(
    directories$.pipe(switchMap((directories) => watchHints(watcher, directories))),
    interval(BEAT_MS),
  ).subscribe(() => wake.up());
  try {
    let watched = "";
    let fullMs = 0;
    let beatMs = clock.nowMs();
    while (!gone.aborted) {
      const isFull = clock.nowMs() - fullMs >= SWEEP_MS;
      if (isFull) fullMs = clock.nowMs();
      const directories = await sender.look(isFull);
      if (directories.join("\n") !== watched) directories$.next(directories);
      watched = directories.join("\n");
      const isDue = clock.nowMs() - beatMs >= BEAT_MS;
      if (isDue) beatMs = clock.nowMs();
      await sender.beat(isDue);
      await wake.next();
      // What changes together is looked at together.
      await clock.sleep(MIRROR_GATHER_MS, gone);
    }
  } finally {
    watching.unsubscribe();
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
