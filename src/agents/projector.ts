import type { z } from "zod";
import { need } from "../base/fatal.ts";
import type { Files } from "../base/files.ts";
import type { Locks } from "../base/locks.ts";
import { LogFold } from "../fs-protocol/log-fold.ts";

/** Text that must stand in an append-only file because a record of the journal says so. */
export interface Projection {
  readonly path: string;
  /** Whole lines, the last newline included. */
  readonly text: string;
  /** Whether other roles append to the same file, so that a short lock surrounds the append. */
  readonly isShared: boolean;
}

/** What a record of the journal puts into other files; `before` is the fold without it. */
export type Project<R, F> = (record: R, before: F, after: F) => readonly Projection[];

/** Bytes of a projection read at start; the longest is PROGRESS.txt. */
const PROJECTION_BYTES_MAX = 256 * 1024 * 1024;

/** What a projector needs. */
export interface ProjectorOptions<S extends z.ZodType, F> {
  readonly files: Files;
  readonly locks: Locks;
  /** The role's own journal. */
  readonly path: string;
  readonly schema: S;
  readonly empty: F;
  readonly reduce: (fold: F, record: z.output<S>) => F;
  readonly project: Project<z.output<S>, F>;
}

/**
 * Keeps the files that people, scripts and engines read in step with the role's journal: written
 * right after it, by the same role, and compared with it at start, where a crash may have come
 * between (coordination, principle 1).
 */
export class Projector<S extends z.ZodType, F> {
  readonly #options: ProjectorOptions<S, F>;
  readonly #log: LogFold<S, F>;
  #pending: Projection[] = [];

  constructor(options: ProjectorOptions<S, F>) {
    this.#options = options;
    const { files, path, schema, empty, reduce, project } = options;
    this.#log = new LogFold<S, F>({
      files,
      path,
      schema,
      empty,
      reduce: (before, record) => {
        const after = reduce(before, record);
        this.#pending.push(...project(record, before, after));
        return after;
      },
    });
  }

  /** At start: appends what the journal says and the files lack, however often it stands there. */
  async reconcile(): Promise<void> {
    const expected = this.#take();
    const byPath = groupByPath(expected);
    for (const [path, projections] of byPath) {
      const missing = missingOf(this.#textOf(path), projections);
      for (const projection of missing) await this.#append(projection);
    }
  }

  /** After an append to the journal: writes what follows from it. */
  async advance(): Promise<void> {
    for (const projection of this.#take()) await this.#append(projection);
  }

  #take(): readonly Projection[] {
    need(this.#log.refresh());
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }

  #textOf(path: string): string {
    const bytes = need(this.#options.files.read(path, PROJECTION_BYTES_MAX));
    return bytes === undefined ? "" : new TextDecoder().decode(bytes);
  }

  async #append({ path, text, isShared }: Projection): Promise<void> {
    const { files, locks } = this.#options;
    const append = () => files.append(path, Buffer.from(text));
    need(isShared ? need(await locks.withLock(path, append)) : append());
  }
}

/** Each text is expected as often as the journal says it: those beyond what is there are missing. */
function missingOf(present: string, expected: readonly Projection[]): readonly Projection[] {
  const lines = countLines(present);
  const left = new Map<string, number>();
  return expected.filter(({ text }) => {
    const isOneLine = text.indexOf("\n") === text.length - 1;
    const there = isOneLine ? (lines.get(text.slice(0, -1)) ?? 0) : occurrences(present, text);
    const count = left.get(text) ?? there;
    left.set(text, count - 1);
    return count <= 0;
  });
}

function countLines(whole: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  // What stands behind the last newline is torn, however much of it there is.
  for (const line of whole.split("\n").slice(0, -1)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function occurrences(whole: string, text: string): number {
  let count = 0;
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + text.length)) {
    if (at === 0 || whole[at - 1] === "\n") count++;
  }
  return count;
}

function groupByPath(projections: readonly Projection[]): ReadonlyMap<string, Projection[]> {
  const groups = new Map<string, Projection[]>();
  for (const projection of projections) {
    groups.set(projection.path, [...(groups.get(projection.path) ?? []), projection]);
  }
  return groups;
}
