import { concatMap, defer, from, map, type Observable } from "rxjs";
import type { z } from "zod";
import type { FileFailure } from "../base/ports/files.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { WatchHint } from "../base/ports/watcher.ts";
import { LogFold, type LogFoldOptions } from "../fs-protocol/codec/log-fold.ts";
import { foldsOf } from "./folded-file.ts";

/**
 * The records of one append-only file: first the existing ones, then each new one, and the failures of reads. Each
 * subscription reads from the start.
 */
export function recordsOf<S extends z.ZodType>(
  options: Omit<LogFoldOptions<S, undefined>, "empty" | "reduce" | "onRecord">,
  hint$: Observable<WatchHint>,
): Observable<Result<z.output<S>, FileFailure>> {
  return defer(() => {
    let fresh: Result<z.output<S>, FileFailure>[] = [];
    const onRecord = (record: z.output<S>) => void fresh.push(ok(record));
    const log = new LogFold({ ...options, empty: undefined, reduce: () => undefined, onRecord });
    return foldsOf(log, hint$).pipe(
      map((read) => {
        const records = read.ok ? fresh : [...fresh, fail(read.failure)];
        fresh = [];
        return records;
      }),
      concatMap((records) => from(records)),
    );
  });
}
