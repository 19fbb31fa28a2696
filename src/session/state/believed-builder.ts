import type { FileFailure, Files } from "../../base/ports/files.ts";
import { READ_CHUNK_BYTES } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import { EMPTY_BUILDER, type BuilderFold } from "./builder-state.ts";
import { foldBuilder } from "./fold-builder.ts";
import { roleLog, type Home } from "../../fs-protocol/home/home.ts";
import { copyPath } from "../../fs-protocol/home/copy-path.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";

/** A line that records the end of the session. */
const END_LINE = /^\S+ done /m;

/**
 * Guards against a forged end in `builder.log`. The builder copies the record of an end at once, so
 * an end is believed only if the log begins with the whole copy and the copy contains that end.
 * Until then the copy's content counts: it is a prefix of what the builder wrote, and every role
 * may act on a prefix. Without a copy, the log itself is believed.
 */
export class BelievedBuilder {
  readonly #files: Files;
  readonly #logPath: string;
  readonly #copyPath: string;
  readonly #copy: LogFold<typeof BuilderRecord, BuilderFold>;
  /** Sizes and times of log and copy when they last agreed. */
  #agreed: string | undefined;

  constructor(files: Files, home: Home, session: SessionJson) {
    this.#files = files;
    this.#logPath = roleLog(home, "builder");
    this.#copyPath = copyPath(session, "builderLog");
    this.#copy = new LogFold({
      files,
      path: this.#copyPath,
      schema: BuilderRecord,
      empty: EMPTY_BUILDER,
      reduce: (fold, record) => foldBuilder(fold, record, session.policy),
    });
  }

  /** Returns the fold of the log, or that of the copy while an end in the log is not believed. */
  believed(fold: BuilderFold): Result<BuilderFold, FileFailure> {
    if (fold.stage.kind !== "done") return ok(fold);
    const stats = JSON.stringify(
      [this.#logPath, this.#copyPath].map((path) => this.#files.stat(path)),
    );
    if (stats === this.#agreed) return ok(fold);
    const agrees = this.#doesLogAgree();
    if (!agrees.ok) return agrees;
    if (!agrees.value) return this.#copy.refresh();
    this.#agreed = stats;
    return ok(fold);
  }

  /** Whether the log begins with the copy and records no end after it. */
  #doesLogAgree(): Result<boolean, FileFailure> {
    const copied = this.#files.stat(this.#copyPath)?.sizeBytes;
    if (copied === undefined) return ok(true);
    for (let at = 0; at < copied; at += READ_CHUNK_BYTES) {
      const length = Math.min(READ_CHUNK_BYTES, copied - at);
      const log = this.#files.readChunk(this.#logPath, at, length);
      const copy = this.#files.readChunk(this.#copyPath, at, length);
      if (!log.ok) return log;
      if (!copy.ok) return copy;
      if (Buffer.compare(log.value, copy.value) !== 0) return ok(false);
    }
    const hasEnd = this.#hasEndAfter(copied);
    return hasEnd.ok ? ok(!hasEnd.value) : hasEnd;
  }

  /** Whether the part of the log that is not in the copy records an end. */
  #hasEndAfter(copied: number): Result<boolean, FileFailure> {
    const size = this.#files.stat(this.#logPath)?.sizeBytes ?? 0;
    const rest = this.#files.readChunk(this.#logPath, copied, Math.max(0, size - copied));
    return rest.ok ? ok(END_LINE.test(Buffer.from(rest.value).toString("latin1"))) : rest;
  }
}
