import { dirname } from "node:path";
import { tap } from "rxjs";
import { SupervisorRecord } from "../../src/fs-protocol/records/supervisor-log.ts";
import { createHost } from "../../src/host/host.ts";
import { recordsOf } from "../../src/streams/records-of.ts";
import { watchHints } from "../../src/streams/watch-hints.ts";

/**
 * Reads a log through the shipped pipeline: watcher, hints, fold. `node watch-reader.js <log>` prints
 * `ready` when it watches, and then for each record `<now> <text>`, the time in seconds, until it is
 * killed.
 */
const [, , path = ""] = process.argv;
const { files, watcher } = createHost();
let isReady = false;

const hint$ = watchHints(watcher, [dirname(path)]).pipe(
  tap(() => {
    if (!isReady) process.stdout.write("ready\n");
    isReady = true;
  }),
);
const record$ = recordsOf({ files, path, schema: SupervisorRecord }, hint$);
record$.subscribe({
  next: (read) => {
    const nowMs = performance.timeOrigin + performance.now();
    const text = read.ok && read.value.kind === "note" ? read.value.text : "";
    process.stdout.write(`${(nowMs / 1000).toFixed(6)} ${text}\n`);
  },
  error: (thrown: unknown) => {
    throw thrown;
  },
});
