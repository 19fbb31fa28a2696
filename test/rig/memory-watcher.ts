import { Observable } from "rxjs";
import type { WatchHint, Watcher } from "../../src/base/ports/watcher.ts";
import { liesIn, type MemoryFiles } from "./memory-files.ts";

/** A watcher of files in memory: a hint for each directory at once, then one for each change. */
export function memoryWatcher(files: MemoryFiles): Watcher {
  const listeners = new Set<(path: string) => void>();
  files.changed = (path) => {
    for (const listener of listeners) listener(path);
  };
  return {
    watch: (directories) =>
      new Observable<WatchHint>((subscriber) => {
        const listener = (path: string) => {
          if (liesIn(path, directories)) subscriber.next({ path });
        };
        listeners.add(listener);
        for (const path of directories) subscriber.next({ path });
        return () => listeners.delete(listener);
      }),
  } satisfies Watcher;
}
