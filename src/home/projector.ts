import type { z } from "zod";
import { need } from "../base/fatal.ts";
import type { FileFailure, Files } from "../base/ports/files.ts";
import type { Result } from "../base/result.ts";
import { isWrittenBySeveral } from "../fs-protocol/home/catalogue.ts";
import { traced, type SpanOf } from "../base/ports/trace.ts";
import type { Locks } from "../base/ports/locks.ts";
import { isCommonRecord } from "../fs-protocol/records/common-records.ts";
import { LogFold } from "../fs-protocol/codec/log-fold.ts";
import type { SnapshotPlace } from "../fs-protocol/codec/snapshot-file.ts";
import { asWritten } from "../fs-protocol/projections/projection-forms.ts";
import { ComparedFiles } from "./compared-files.ts";
import { RESTORED } from "./own-files.ts";
import type { Restored } from "./restored-record.ts";
import type { SharedFiles } from "./shared-files.ts";

/** Text that an append-only file must contain because it follows from a record of the journal. */
export interface Projection {
  readonly path: string;
  /** Whole lines, including the last newline. */
  readonly text: string;
}

/** Returns the texts that follow from a record of the journal; `before` is the fold without that record. */
export type Project<R, F> = (record: R, before: F, after: F) => readonly Projection[];

/** A file is looked at so often again if it was restored just before an append to it. */
const TRIES_MAX = 10;

const RECONCILE: SpanOf = { category: "projection", name: "compare the projections" };
const ADVANCE: SpanOf = { category: "projection", name: "write the projections" };

/** How a journal is folded, and which projections follow from it. */
export interface JournalFold<S extends z.ZodType, F> {
  readonly schema: S;
  readonly empty: F;
  readonly reduce: (fold: F, record: z.output<S>) => F;
  readonly project: Project<z.output<S>, F>;
}

/** What a projector needs. */
export interface ProjectorOptions<S extends z.ZodType, F> extends JournalFold<S, F> {
  readonly files: Files;
  readonly locks: Locks;
  /** The role's own journal. */
  readonly path: string;
  /** Whether several processes append to a file, so that an append needs a short lock; default: as in a home. */
  readonly isShared?: (path: string) => boolean;
  /** Restores the files that several roles write; absent: these are not restored. */
  readonly shared?: Pick<SharedFiles, "appended" | "isIntact" | "restoreLocked"> | undefined;
  /** Called for each of these files that was restored. */
  readonly onRestored?: (restored: Restored) => void;
  /** Keeps what was compared for the next process of the role; absent: each compares everything. */
  readonly place?: SnapshotPlace | undefined;
}

/**
 * Keeps the files that people, scripts and engines read in step with the role's journal. The role writes them right
 * after its journal, and compares them with it at start, because it may have crashed in between (docs/PROTOCOL.md,
 * section 8).
 */
export class Projector<S extends z.ZodType, F> {
  readonly #options: ProjectorOptions<S, F>;
  readonly #compared: ComparedFiles;
  #log: LogFold<S, F>;
  #hasBegun = false;
  /** Projections of records that were read, not written yet, in order. */
  #pending: Projection[] = [];
  /** Whether they start with the journal's first record: then the files already contain most of them. */
  #isFromStart = true;
  /** Last known length in bytes of each file that was written to. An intact file only grows. */
  readonly #sizes = new Map<string, number>();

  constructor(options: ProjectorOptions<S, F>) {
    this.#options = options;
    this.#compared = new ComparedFiles(options.files, options.place);
    this.#log = this.#openLog();
  }

  #openLog(): LogFold<S, F> {
    const { files, path, schema, empty, reduce, project, place } = this.#options;
    return new LogFold<S, F>({
      files,
      path,
      schema,
      empty,
      // Only the open unit depends on these records, and they are half of a journal.
      passesOver: isCommonRecord,
      isContinued: place !== undefined,
      reduce: (before, record) => {
        const after = reduce(before, record);
        for (const projection of project(record, before, after)) this.#pending.push(projection);
        return after;
      },
      onRestart: () => {
        this.#pending = [];
        this.#isFromStart = true;
        this.#compared.forget();
      },
    });
  }

  /** At start: appends each text that a file contains less often than the journal requires. */
  reconcile(): Promise<void> {
    return traced(RECONCILE, () => this.#reconcile());
  }

  /** After an append to the journal: writes the projections of the new records. */
  advance(): Promise<void> {
    return traced(ADVANCE, () => this.#advance());
  }

  async #reconcile(): Promise<void> {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      for (const path of this.#compared.continueWith(this.#log)) this.#noteSize(path);
    }
    await this.#complete(this.#takePending());
  }

  /** Appends those of these projections that their files lack. */
  async #complete(all: readonly Projection[]): Promise<void> {
    const groups = groupByPath(all);
    for (const [path, projections] of groups) {
      const missing = () =>
        this.#compared.compare(path, (text) => missingOf(path, text, projections));
      const isWhole = this.#options.shared?.isIntact(path) !== false && missing().length === 0;
      this.#noteSize(path);
      if (!isWhole) await this.#write(path, missing);
    }
    // Where the log is gone for a moment nothing follows from it, and the next reading begins at its start again.
    if (all.length > 0) this.#isFromStart = false;
    this.#compared.keep(this.#log, groups.keys());
  }

  async #advance(): Promise<void> {
    if (this.#isAnyCut()) {
      this.#log = this.#openLog();
      this.#isFromStart = true;
      this.#compared.forget();
    }
    const pending = this.#takePending();
    // Also if the log began anew while it was read.
    if (this.#isFromStart) return this.#complete(pending);
    for (const [path, projections] of runsByPath(pending)) {
      await this.#write(path, () => projections);
    }
  }

  #takePending(): readonly Projection[] {
    need(this.#log.refresh());
    const pending = this.#pending;
    this.#pending = [];
    return pending;
  }

  /** Whether a file was cut or removed: then the files are compared with the whole journal again. */
  #isAnyCut(): boolean {
    const { files } = this.#options;
    return [...this.#sizes].some(([path, size]) => (files.stat(path)?.sizeBytes ?? 0) < size);
  }

  #noteSize(path: string): void {
    this.#sizes.set(path, this.#options.files.stat(path)?.sizeBytes ?? 0);
  }

  /** Appends the projections that `chosen` returns, all of one file; under the file's lock if it is shared. */
  async #write(path: string, chosen: () => readonly Projection[]): Promise<void> {
    const { locks, shared, onRestored, isShared = isWrittenBySeveral } = this.#options;
    const write = () => {
      for (const restored of shared?.restoreLocked(path) ?? []) onRestored?.(restored);
      // One append, and so one fsync: after a crash in its middle, the next start appends what is missing.
      for (let tries = 1; ; tries++) {
        const text = chosen().map((projection) => projection.text);
        if (text.length === 0) return;
        const appended = this.#append(path, Buffer.from(text.join("")));
        if (appended.ok) return;
        if (appended.failure.errno !== RESTORED || tries === TRIES_MAX) need(appended);
      }
    };
    if (isShared(path)) need(await locks.withLock(path, write));
    else write();
    this.#noteSize(path);
  }

  #append(path: string, bytes: Uint8Array): Result<void, FileFailure> {
    const { files, shared } = this.#options;
    const appended = files.append(path, bytes);
    if (appended.ok) shared?.appended(path, bytes);
    return appended;
  }
}

/** The expected projections that are missing. A text may be expected several times, so occurrences are counted. */
function missingOf(
  path: string,
  present: string,
  expected: readonly Projection[],
): readonly Projection[] {
  const left = countTexts(path, present, new Set(expected.map(({ text }) => text)));
  return expected.filter(({ text }) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

/** Counts how often each text occurs in the whole at the start of a line, in one pass. */
function countTexts(
  path: string,
  whole: string,
  expected: ReadonlySet<string>,
): Map<string, number> {
  const byFirstLine = new Map<string, string[]>();
  for (const text of expected) push(byFirstLine, text.slice(0, text.indexOf("\n")), text);
  const counts = new Map<string, number>();
  // Text after the last newline is a torn line and never counts.
  let start = 0;
  for (let end = whole.indexOf("\n"); end >= 0; end = whole.indexOf("\n", start)) {
    const line = whole.slice(start, end);
    const candidates = byFirstLine.get(line) ?? [];
    const from = start;
    const found = candidates.filter((candidate) => whole.startsWith(candidate, from));
    // A later version of wisp may have written more at the end of the line.
    const known = `${asWritten(path, line)}\n`;
    for (const text of found.length > 0 || !expected.has(known) ? found : [known]) {
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    start = end + 1;
  }
  return counts;
}

function groupByPath(projections: readonly Projection[]): ReadonlyMap<string, Projection[]> {
  const groups = new Map<string, Projection[]>();
  for (const projection of projections) push(groups, projection.path, projection);
  return groups;
}

/** Neighbours of the same file together: files are written in the order of the records, and few times. */
function runsByPath(
  projections: readonly Projection[],
): readonly (readonly [path: string, projections: readonly Projection[]])[] {
  const runs: [string, Projection[]][] = [];
  for (const projection of projections) {
    const last = runs.at(-1);
    if (last?.[0] === projection.path) last[1].push(projection);
    else runs.push([projection.path, [projection]]);
  }
  return runs;
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
