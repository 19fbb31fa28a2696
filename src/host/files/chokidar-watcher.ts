import { join, resolve } from "node:path";
import type { FSWatcher } from "chokidar";
import { merge, Observable } from "rxjs";
import type { WatchHint, Watcher } from "../../base/ports/watcher.ts";

/** As much of chokidar's watcher as we use. */
export interface NativeWatcher {
  on(event: string, listener: (...facts: unknown[]) => void): unknown;
  close(): Promise<void>;
}

export interface ChokidarWatcherOptions {
  /**
   * Told once per watch that hints may be missing from now on (`ENOSPC`, `EMFILE`: too many watches
   * or instances): the caller's own sweep is then all there is.
   */
  readonly onDegraded?: ((errno: string) => void) | undefined;
  /** Makes the native watcher of a directory; tests give one that fails. */
  readonly open?: ((directory: string) => Promise<NativeWatcher>) | undefined;
}

/**
 * Watching behind the port. chokidar passes on at most one `change` per path and 50 ms and drops the
 * tail of a burst (measured: 10 of 10 second appends 20 ms after a first went unseen). Its `raw` event
 * is not throttled, so the hints are made from that one.
 *
 * Each directory has a chokidar of its own: a common one says `ready` too early when a directory is
 * missing. They share what counts, the inotify instance.
 */
export function createChokidarWatcher({
  onDegraded,
  open = openChokidar,
}: ChokidarWatcherOptions = {}): Watcher {
  return {
    watch(directories) {
      const degraded = once((errno: string) => onDegraded?.(errno));
      return merge(
        ...directories.map((directory) => watchOne(resolve(directory), { open, degraded })),
      );
    },
  } satisfies Watcher;
}

interface Native {
  readonly open: (directory: string) => Promise<NativeWatcher>;
  readonly degraded: (errno: string) => void;
}

function watchOne(directory: string, { open, degraded }: Native): Observable<WatchHint> {
  return new Observable<WatchHint>((subscriber) => {
    let watcher: NativeWatcher | undefined;
    const started = (opened: NativeWatcher) => {
      watcher = opened;
      if (subscriber.closed) return void opened.close();
      opened.on("error", lose);
      forwardHints(opened, directory, (path) => subscriber.next({ path }));
    };
    const lose = (thrown: unknown) => {
      const lost = nameOf(thrown);
      degraded(lost);
      subscriber.next({ path: directory, lost });
    };
    open(directory).then(started, lose);
    return () => void watcher?.close();
  });
}

async function openChokidar(directory: string): Promise<NativeWatcher> {
  // Imported when first watched: commands that watch nothing do not pay for loading it.
  const { FSWatcher } = await import("chokidar");
  const watcher: FSWatcher = new FSWatcher({
    depth: 0,
    ignoreInitial: true,
    followSymlinks: false,
    // Without this an unlink is held back for 100 ms in case that the file comes again.
    atomic: false,
    // The directory's own events tell of its files as well. Ignoring the files saves a watch and a
    // second event for each; polling has nothing but the files to look at.
    ignored: (path) => !watcher.options.usePolling && resolve(path) !== directory,
  });
  return watcher.add(directory);
}

function forwardHints(
  watcher: NativeWatcher,
  directory: string,
  hint: (path: string) => void,
): void {
  // What was written before the watch stood gave no event: `ready` asks for a look at everything.
  watcher.on("ready", () => hint(directory));
  watcher.on("raw", (_event, name, details) => {
    if (watchedPathOf(details) !== directory) return;
    hint(typeof name === "string" ? join(directory, name) : directory);
  });
  // While polling, this is all that comes.
  watcher.on("all", (_event, path) => hint(resolve(String(path))));
}

/** chokidar types what it says of a raw event as `any`. */
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
