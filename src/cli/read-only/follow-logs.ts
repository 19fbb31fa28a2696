import { defer, filter, lastValueFrom, map, take } from "rxjs";
import type { FileFailure } from "../../base/ports/files.ts";
import type { Result } from "../../base/result.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { Host } from "../../host/host.ts";
import { watchHints } from "../../streams/watch-hints.ts";

/**
 * Prints new lines of the logs until a read fails; a person ends it with Ctrl-C.
 *
 * @param print prints what is new since its last call
 */
export async function followLogs(
  { watcher }: Pick<Host, "watcher">,
  home: Home,
  print: () => Result<void, FileFailure>,
): Promise<FileFailure | undefined> {
  const failure$ = defer(() => watchHints(watcher, [home.logs])).pipe(
    map(() => print()),
    filter((printed) => !printed.ok),
    map((printed) => printed.failure),
    take(1),
  );
  return lastValueFrom(failure$, { defaultValue: undefined });
}
