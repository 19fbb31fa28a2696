import { concatMap, defer, filter, from, map, startWith, type Observable } from "rxjs";
import type { z } from "zod";
import type { FileFailure } from "../base/ports/files.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { WatchHint } from "../base/ports/watcher.ts";
import { LogFold, type LogFoldOptions } from "../fs-protocol/codec/log-fold.ts";

/**
 * The records of one append-only file as they come to stand there: those that are there already,
 * then each new one. A hint about the file's directory or the file means "read on to the end". Each
 * subscription reads from the start.
 */
export function recordsOf<S extends z.ZodType>(
  options: Omit<LogFoldOptions<S, undefined>, "empty" | "reduce" | "onRecord">,
  hint$: Observable<WatchHint>,
): Observable<Result<z.output<S>, FileFailure>> {
  return defer(() => {
    const readOn = reader(options);
    return hint$.pipe(
      filter(({ path }) => options.path.startsWith(path)),
      startWith({ path: options.path }),
      map(readOn),
      concatMap((records) => from(records)),
    );
  });
}

/** Each call reads what is new, and what a read failed with. */
function reader<S extends z.ZodType>(
  options: Omit<LogFoldOptions<S, undefined>, "empty" | "reduce" | "onRecord">,
): () => readonly Result<z.output<S>, FileFailure>[] {
  let fresh: Result<z.output<S>, FileFailure>[] = [];
  const log = new LogFold({
    ...options,
    empty: undefined,
    reduce: () => undefined,
    onRecord: (record) => fresh.push(ok(record)),
  });
  return () => {
    fresh = [];
    const read = log.refresh();
    return read.ok ? fresh : [...fresh, fail(read.failure)];
  };
}
