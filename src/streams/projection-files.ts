import { combineLatest, defer, distinctUntilChanged, filter, map, startWith } from "rxjs";
import type { Observable } from "rxjs";
import type { FileFailure, Files } from "../base/files.ts";
import { ok, type Result } from "../base/result.ts";
import type { WatchHint } from "../base/watcher.ts";
import type { ProjectionsFold } from "../fs-protocol/fold-projections.ts";
import type { Home } from "../fs-protocol/home.ts";
import {
  projectionFolds,
  projectionPaths,
  type ProjectionFold,
} from "../fs-protocol/projection-folds.ts";

/** What one projection says, as it comes to stand there. */
export type ProjectionFiles = {
  readonly [K in keyof ProjectionsFold as `${K}$`]: Observable<
    Result<ProjectionsFold[K], FileFailure>
  >;
};

/**
 * One observable per projection of a home: what its file says now, then again whenever a hint leads to
 * something new in it. Each subscription reads its file from the start.
 *
 * ```
 * hint      --m---c---m--m--     m about milestones.log, c about another file
 * value    0--1-------2-----     the last m brought nothing new
 * ```
 */
export function projectionFiles(
  files: Files,
  home: Home,
  hint$: Observable<WatchHint>,
): ProjectionFiles {
  const paths = projectionPaths(home);
  function valuesOf<K extends keyof ProjectionsFold>(name: K) {
    return foldOf<K>(() => projectionFolds(files, home)[name], about(hint$, paths[name]));
  }
  return {
    milestones$: valuesOf("milestones"),
    commits$: valuesOf("commits"),
    reviewed$: valuesOf("reviewed"),
    tested$: valuesOf("tested"),
    final$: valuesOf("final"),
    findings$: valuesOf("findings"),
    bugs$: valuesOf("bugs"),
    ending$: valuesOf("ending"),
  };
}

/** What all projections of a home say together: woken by each of them. */
export function projectionsOf(
  files: Files,
  home: Home,
  hint$: Observable<WatchHint>,
): Observable<Result<ProjectionsFold, FileFailure>> {
  const of = projectionFiles(files, home, hint$);
  return combineLatest({
    milestones: of.milestones$,
    commits: of.commits$,
    reviewed: of.reviewed$,
    tested: of.tested$,
    final: of.final$,
    findings: of.findings$,
    bugs: of.bugs$,
    ending: of.ending$,
  }).pipe(map(together));
}

type Read = { readonly [K in keyof ProjectionsFold]: Result<ProjectionsFold[K], FileFailure> };

/** All of them, or the first failure. */
function together(read: Read): Result<ProjectionsFold, FileFailure> {
  const { milestones, commits, reviewed, tested, final, findings, bugs, ending } = read;
  if (!milestones.ok) return milestones;
  if (!commits.ok) return commits;
  if (!reviewed.ok) return reviewed;
  if (!tested.ok) return tested;
  if (!final.ok) return final;
  if (!findings.ok) return findings;
  if (!bugs.ok) return bugs;
  if (!ending.ok) return ending;
  return ok({
    milestones: milestones.value,
    commits: commits.value,
    reviewed: reviewed.value,
    tested: tested.value,
    final: final.value,
    findings: findings.value,
    bugs: bugs.value,
    ending: ending.value,
  });
}

/** A hint about the file itself, or about the directory that it lies in. */
function about(hint$: Observable<WatchHint>, path: string): Observable<WatchHint> {
  return hint$.pipe(
    filter((hint) => path.startsWith(hint.path)),
    startWith({ path }),
  );
}

function foldOf<K extends keyof ProjectionsFold>(
  make: () => ProjectionFold<K>,
  hint$: Observable<WatchHint>,
): Observable<Result<ProjectionsFold[K], FileFailure>> {
  return defer(() => {
    const fold = make();
    return hint$.pipe(
      map(() => fold.refresh()),
      distinctUntilChanged((one, other) => one.ok && other.ok && one.value === other.value),
    );
  });
}
