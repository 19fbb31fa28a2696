import type { z } from "zod";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import { isWrittenBySeveral } from "../../fs-protocol/home/catalogue.ts";
import type { Locks } from "../../base/ports/locks.ts";
import { isCommonRecord } from "../../fs-protocol/records/common-records.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { asWritten } from "../../fs-protocol/projections/projection-forms.ts";
import type { Restored } from "./restored-record.ts";
import type { SharedFiles } from "./shared-files.ts";

/** Text that must stand in an append-only file because a record of the journal says so. */
export interface Projection {
  readonly path: string;
  /** Whole lines, the last newline included. */
  readonly text: string;
}

/** What a record of the journal puts into other files; `before` is the fold without it. */
export type Project<R, F> = (record: R, before: F, after: F) => readonly Projection[];

/** Bytes of a projection read at start; the longest is PROGRESS.txt. */
const PROJECTION_BYTES_MAX = 256 * 1024 * 1024;

/** How a journal is read, and what follows from it. */
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
  /** Whether others append to a file as well, so that a short lock surrounds the append; absent: as in a home. */
  readonly isShared?: (path: string) => boolean;
  /** Keeps what several roles write as they wrote it; absent: nobody does. */
  readonly shared?: Pick<SharedFiles, "appended" | "isIntact" | "restoreLocked"> | undefined;
  /** Is told what was put back of that. */
  readonly onRestored?: (restored: Restored) => void;
}

/**
 * Keeps the files that people, scripts and engines read in step with the role's journal: written
 * right after it, by the same role, and compared with it at start, where a crash may have come
 * between (coordination, principle 1).
 */
export class Projector<S extends z.ZodType, F> {
  readonly #options: ProjectorOptions<S, F>;
  #log: LogFold<S, F>;
  /** What follows from records that were read and not yet written, in their order. */
  #expected: Projection[] = [];
  /** Whether they come from the journal's start: then most of them stand in the files already. */
  #isFromStart = true;
  /** Length in bytes of each file that was written to, as it was last seen: it only grows. */
  readonly #sizes = new Map<string, number>();

  constructor(options: ProjectorOptions<S, F>) {
    this.#options = options;
    this.#log = this.#openLog();
  }

  #openLog(): LogFold<S, F> {
    const { files, path, schema, empty, reduce, project } = this.#options;
    return new LogFold<S, F>({
      files,
      path,
      schema,
      empty,
      // Nothing but the open unit is made of these, and half of a journal consists of them.
      passesOver: isCommonRecord,
      reduce: (before, record) => {
        const after = reduce(before, record);
        for (const projection of project(record, before, after)) this.#expected.push(projection);
        return after;
      },
      onRestart: () => {
        this.#expected = [];
        this.#isFromStart = true;
      },
    });
  }

  /** At start: appends what the journal says and the files lack, however often it stands there. */
  async reconcile(): Promise<void> {
    for (const [path, projections] of groupByPath(this.#take())) {
      const missing = () => missingOf(path, this.#textOf(path), projections);
      const isWhole = this.#options.shared?.isIntact(path) !== false && missing().length === 0;
      this.#noteSize(path);
      if (!isWhole) await this.#write(path, missing);
    }
    this.#isFromStart = false;
  }

  /** After an append to the journal: writes what follows from it. */
  async advance(): Promise<void> {
    if (this.#isAnyCut()) {
      this.#log = this.#openLog();
      this.#isFromStart = true;
    }
    need(this.#log.refresh());
    if (this.#isFromStart) return this.reconcile();
    for (const projection of this.#take()) {
      await this.#write(projection.path, () => [projection]);
    }
  }

  #take(): readonly Projection[] {
    need(this.#log.refresh());
    const taken = this.#expected;
    this.#expected = [];
    return taken;
  }

  /** Whether somebody removed a file or a part of it: then the whole journal is compared with it again. */
  #isAnyCut(): boolean {
    const { files } = this.#options;
    return [...this.#sizes].some(([path, size]) => (files.stat(path)?.sizeBytes ?? 0) < size);
  }

  #noteSize(path: string): void {
    this.#sizes.set(path, this.#options.files.stat(path)?.sizeBytes ?? 0);
  }

  #textOf(path: string): string {
    const bytes = need(this.#options.files.read(path, PROJECTION_BYTES_MAX));
    return bytes === undefined ? "" : new TextDecoder().decode(bytes);
  }

  /** Appends what `chosen` says, of projections into one file; under its lock where others append to it, too. */
  async #write(path: string, chosen: () => readonly Projection[]): Promise<void> {
    const { locks, shared, onRestored, isShared = isWrittenBySeveral } = this.#options;
    const write = () => {
      for (const restored of shared?.restoreLocked(path) ?? []) onRestored?.(restored);
      for (const { text } of chosen()) this.#append(path, Buffer.from(text));
    };
    if (isShared(path)) need(await locks.withLock(path, write));
    else write();
    this.#noteSize(path);
  }

  #append(path: string, bytes: Uint8Array): void {
    const { files, shared } = this.#options;
    need(files.append(path, bytes));
    shared?.appended(path, bytes);
  }
}

/** Each text is expected as often as the journal says it: those beyond what is there are missing. */
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

/** How often each text stands in the whole, from the beginning of a line; in one pass over it. */
function countTexts(
  path: string,
  whole: string,
  expected: ReadonlySet<string>,
): Map<string, number> {
  const byFirstLine = new Map<string, string[]>();
  for (const text of expected) push(byFirstLine, text.slice(0, text.indexOf("\n")), text);
  const counts = new Map<string, number>();
  // What stands behind the last newline is torn, however much of it there is.
  let start = 0;
  for (let end = whole.indexOf("\n"); end >= 0; end = whole.indexOf("\n", start)) {
    const line = whole.slice(start, end);
    const candidates = byFirstLine.get(line) ?? [];
    const from = start;
    const found = candidates.filter((candidate) => whole.startsWith(candidate, from));
    // A later version may have put more behind it.
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

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
