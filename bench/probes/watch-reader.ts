import { dirname } from "node:path";
import { tap } from "rxjs";
import { createHost } from "../../src/host/host.ts";
import { SupervisorRecord } from "../../src/fs-protocol/supervisor-log.ts";
import { recordsOf } from "../../src/streams/records-of.ts";
import { watchHints } from "../../src/streams/watch-hints.ts";

/**
 * Reads a log through the shipped pipeline: watcher, hints, fold. `node watch-reader.js <log>` prints
 * how many milliseconds each record was on its way, as its `text` says when it was written; the word
 * `end` ends it.
 */
const [, , path = ""] = process.argv;
const { files, watcher } = createHost();
const nowMs = () => performance.timeOrigin + performance.now();

recordsOf({ files, path, schema: SupervisorRecord }, watchHints(watcher, [dirname(path)]))
  .pipe(
    tap((read) => {
      const text = read.ok && read.value.kind === "note" ? read.value.text : "";
      if (text === "end") process.exit(0);
      process.stdout.write(`${nowMs() - Number(text)}\n`);
    }),
  )
  .subscribe({
    error: (thrown) => {
      throw thrown;
    },
  });
