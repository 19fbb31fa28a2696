import type { Files } from "../../src/base/ports/files.ts";
import { decodeAnsweredMilestone } from "../../src/fs-protocol/projections/answered-milestone.ts";
import { decodeDone } from "../../src/fs-protocol/projections/builder-done.ts";
import {
  EMPTY_ANSWERS,
  EMPTY_COMMITS,
  EMPTY_ENDING,
  EMPTY_ITEMS,
  foldAnswers,
  foldCommits,
  foldEnding,
  foldFinal,
  foldItems,
  foldMilestones,
  type ProjectionsFold,
} from "./fold-projections.ts";
import type { Home } from "../../src/fs-protocol/home/home.ts";
import { decodeItem } from "../../src/fs-protocol/projections/items-md.ts";
import { LineFold } from "../../src/fs-protocol/codec/log-fold.ts";
import { decodeMilestone } from "../../src/fs-protocol/projections/milestones-log.ts";
import { decodeReviewedCommit } from "../../src/fs-protocol/projections/reviewer-checkpoint.ts";
import { decodeFinalPass } from "../../src/fs-protocol/projections/tester-final.ts";

/** The fold of one projection; only the folded value of its lines matters here. */
export type ProjectionFold<K extends keyof ProjectionsFold> = Pick<
  LineFold<unknown, ProjectionsFold[K]>,
  "value" | "refresh" | "quarantined"
>;

/** How each projection is folded, from nothing. */
export type ProjectionFolds = { readonly [K in keyof ProjectionsFold]: ProjectionFold<K> };

/** The path of each projection. */
export function projectionPaths(home: Home): Readonly<Record<keyof ProjectionsFold, string>> {
  return {
    milestones: home.milestones,
    commits: home.reviewerCheckpoint,
    reviewed: home.reviewerMilestone,
    tested: home.testerMilestone,
    final: home.testerFinal,
    findings: home.reviews,
    bugs: home.bugs,
    ending: home.builderDone,
  };
}

/** The folds of all projections of a home, with nothing read yet. */
export function projectionFolds(files: Files, home: Home): ProjectionFolds {
  const paths = projectionPaths(home);
  const answers = {
    files,
    decode: decodeAnsweredMilestone,
    empty: EMPTY_ANSWERS,
    reduce: foldAnswers,
  };
  const items = { files, decode: decodeItem, empty: EMPTY_ITEMS, reduce: foldItems };
  return {
    milestones: new LineFold({
      files,
      path: paths.milestones,
      decode: decodeMilestone,
      empty: [],
      reduce: foldMilestones,
    }),
    commits: new LineFold({
      files,
      path: paths.commits,
      decode: decodeReviewedCommit,
      empty: EMPTY_COMMITS,
      reduce: foldCommits,
    }),
    reviewed: new LineFold({ ...answers, path: paths.reviewed }),
    tested: new LineFold({ ...answers, path: paths.tested }),
    final: new LineFold({
      files,
      path: paths.final,
      decode: decodeFinalPass,
      empty: undefined,
      reduce: foldFinal,
    }),
    findings: new LineFold({ ...items, path: paths.findings }),
    bugs: new LineFold({ ...items, path: paths.bugs }),
    ending: new LineFold({
      files,
      path: paths.ending,
      decode: decodeDone,
      empty: EMPTY_ENDING,
      reduce: foldEnding,
    }),
  };
}
