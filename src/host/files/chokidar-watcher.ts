import { join, resolve } from "node:path";
import type { FSWatcher } from "chokidar";
import { merge, Observable } from "rxjs";
import { probeDisk } from "../probe/probe-disk.ts";
import type { WatchHint, Watcher } from "../../base/ports/watcher.ts";

/** The part of chokidar's watcher that we use. */
export interface NativeWatcher {
  on(event: string, listener: (...facts: unknown[]) => void): unknown;
  close(): Promise<void>;
}

export interface ChokidarWatcherOptions {
  /**
   * Called once per watch when hints may be missing from now on (`ENOSPC`, `EMFILE`: too many watches or
   * instances; `9p`, `NFS` and others: the file system tells only of some changes); only the caller's own sweep still works then.
   */
  readonly onDegraded?: ((errno: string) => void) | undefined;
  /** The kind of the file system of a directory, if others can write to it without an event here. */
  readonly sharedKind?: ((directory: string) => string | undefined) | undefined;
  /** Opens the native watcher of a directory; tests pass one that fails. */
  readonly open?: ((directory: string) => Promise<NativeWatcher>) | undefined;
}

/**
 * Implements the watcher port with chokidar. chokidar reports at most one `change` per path and 50 ms, and drops
 * the end of a burst (measured: it missed 10 of 10 second appends 20 ms after a first). Its `raw` event is not
 * throttled, so hints come from that one, and no hint has to be repeated.
 *
 * Each directory has its own chokidar: a shared one reports `ready` too early if a directory is missing. They share
 * the scarce resource, the inotify instance.
 */
export function createChokidarWatcher({
  onDegraded,
  sharedKind = (directory) => probeDisk(directory)?.shared,
  open = openChokidar,
}: ChokidarWatcherOptions = {}): Watcher {
  return {
    watch(directories) {
      const degraded = once((errno: string) => onDegraded?.(errno));
      return merge(
        ...directories.map((directory) =>
          watchOne(resolve(directory), { open, degraded, sharedKind }),
        ),
      );
    },
  } satisfies Watcher;
}

interface Native {
  readonly open: (directory: string) => Promise<NativeWatcher>;
  readonly degraded: (errno: string) => void;
  readonly sharedKind: (directory: string) => string | undefined;
}

function watchOne(
  directory: string,
  { open, degraded, sharedKind }: Native,
): Observable<WatchHint> {
  return new Observable<WatchHint>((subscriber) => {
    let watcher: NativeWatcher | undefined;
    const started = (opened: NativeWatcher) => {
      watcher = opened;
      if (subscriber.closed) return void opened.close();
      opened.on("error", lose);
      forwardHints(opened, directory, (path) => subscriber.next({ path }));
    };
    const miss = (lost: string) => {
      degraded(lost);
      subscriber.next({ path: directory, lost });
    };
    const lose = (thrown: unknown) => miss(nameOf(thrown));
    // A program on the other side of such a file system, such as an editor in Windows, causes no event.
    const shared = sharedKind(directory);
    if (shared !== undefined) miss(shared);
    open(directory).then(started, lose);
    return () => void watcher?.close();
  });
}

async function openChokidar(directory: string): Promise<NativeWatcher> {
  // Imported on first use, so that commands that watch nothing do not pay for loading it.
  const { FSWatcher } = await import("chokidar");
  /**
   * At each event, chokidar lists the directory and looks at every entry to find what is new or gone (measured: a
   * fifth of the CPU of a waiting role). The event already names the path, so
   * chokidar is told each time that it has listed the directory just now.
   */
  class UnlistedWatcher extends FSWatcher {
    override _throttle(...given: Parameters<FSWatcher["_throttle"]>) {
      const isListing = given[0] === "readdir" && !this.options.usePolling;
      return isListing ? false : super._throttle(...given);
    }
  }
  const watcher: FSWatcher = new UnlistedWatcher({
    depth: 0,
    ignoreInitial: true,
    followSymlinks: false,
    // By default an unlink is held back for 100 ms, in case the file reappears.
    atomic: false,
    // The directory's own events cover its files. Ignoring the files saves a watch and a duplicate event for each;
    // polling, however, needs the files.
    ignored: (path) => !watcher.options.usePolling && resolve(path) !== directory,
  });
  return watcher.add(directory);
}

function forwardHints(
  watcher: NativeWatcher,
  directory: string,
  hint: (path: string) => void,
): void {
  // Changes before the watch was active gave no event, so `ready` asks for a check of everything.
  watcher.on("ready", () => hint(directory));
  watcher.on("raw", (_event, name, details) => {
    if (watchedPathOf(details) !== directory) return;
    hint(typeof name === "string" ? join(directory, name) : directory);
  });
  // While polling, only these events arrive. They are limited to a rate that polling does not reach.
  watcher.on("all", (_event, path) => hint(resolve(String(path))));
}

/** chokidar types the details of a raw event as `any`. */
function watchedPathOf(details: unknown): string | undefined {
  if (typeof details !== "object" || details === null) return undefined;
  if (!("watchedPath" in details) || typeof details.watchedPath !== "string") return undefined;
  return details.watchedPath;
}

function nameOf(thrown: unknown): string {
  const hasCode = thrown instanceof Error && "code" in thrown && typeof thrown.code === "string";
  return hasCode ? (thrown.code as string) : "EIO";
}

function once<A>(call: (argument: A) => void): (argument: A) => void {
  let called = false;
  return (argument) => {
    if (called) return;
    called = true;
    call(argument);
  };
}
