import { dirname } from "node:path";
import { concatMap, from, lastValueFrom, scan, startWith, takeUntil, type Observable } from "rxjs";
import type { Oid } from "../../base/oid.ts";
import type { WatchHint } from "../../base/ports/watcher.ts";

/** The HEAD at which each milestone was first seen complete, in the order of these moments. */
export type SeenHeads = ReadonlyMap<string, Oid>;

/**
 * Watches the copy of TASKS.md that a build turn ticks, and notes the clone's HEAD when a milestone
 * becomes complete: if several milestones end in one turn, their ranges are split at these commits.
 *
 * @param read returns the milestones that are complete now, and the present HEAD
 * @param ended resolves when the turn has ended
 */
export function watchSplits(
  hint$: Observable<WatchHint>,
  tasksFile: string,
  read: () => Promise<{ readonly complete: readonly string[]; readonly head: Oid } | undefined>,
  ended: Promise<unknown>,
): Promise<SeenHeads> {
  const directory = dirname(tasksFile);
  const seen$ = hint$.pipe(
    // concatMap: skipping a reading could miss the only moment between two milestones.
    concatMap(async ({ path }) => (path.startsWith(directory) ? read() : undefined)),
    scan<Awaited<ReturnType<typeof read>>, SeenHeads>(noteFirst, new Map()),
    startWith<SeenHeads>(new Map()),
    takeUntil(from(ended)),
  );
  return lastValueFrom(seen$, { defaultValue: new Map() });
}

function noteFirst(
  seen: SeenHeads,
  now: { readonly complete: readonly string[]; readonly head: Oid } | undefined,
): SeenHeads {
  const fresh = now?.complete.filter((name) => !seen.has(name)) ?? [];
  if (now === undefined || fresh.length === 0) return seen;
  return new Map([...seen, ...fresh.map((name) => [name, now.head] as const)]);
}
