import picomatch from "picomatch";
import type { Level } from "../../fs-protocol/records/finding.ts";
import { languageOf } from "./languages.ts";
import type { Reviewer } from "./reviewer.ts";

/** A range to review. */
export interface Change {
  /** `both`: a milestone whose commits have no other review. */
  readonly purpose: "commit" | "milestone" | "both";
  /** Paths that the range adds, changes, renames or deletes, with `/`. */
  readonly files: readonly string[];
}

/** A reviewer that reviews ranges of this kind, but not this one: its filters exclude all files. */
export interface Skipped {
  readonly name: string;
  /** The filters that exclude all files; a file has to match both if both are set. */
  readonly languages: readonly string[];
  readonly paths: readonly string[];
}

export interface Selection {
  /** Blocking ones first, then by name within a level. */
  readonly chosen: readonly Reviewer[];
  readonly skipped: readonly Skipped[];
}

/**
 * Selects the reviewers of a range. A reviewer without filters reviews every range of its kind,
 * even one with an empty diff.
 */
export function selectReviewers(
  reviewers: readonly Reviewer[],
  { purpose, files }: Change,
): Selection {
  const chosen: Reviewer[] = [];
  const skipped: Skipped[] = [];
  for (const reviewer of reviewers) {
    if (!reviewsPurpose(reviewer, purpose)) continue;
    if (matchesFiles(reviewer, files)) chosen.push(reviewer);
    else skipped.push(skippedBy(reviewer));
  }
  return { chosen: chosen.sort(byWeight), skipped };
}

function reviewsPurpose({ when }: Reviewer, purpose: Change["purpose"]): boolean {
  if (when === "never") return false;
  return when === purpose || when === "both" || purpose === "both";
}

const WEIGHTS: Readonly<Record<Level, number>> = { blocking: 0, warning: 1, suggestion: 2 };

function byWeight(one: Reviewer, other: Reviewer): number {
  return WEIGHTS[one.level] - WEIGHTS[other.level] || (one.name < other.name ? -1 : 1);
}

function matchesFiles({ languages, paths }: Reviewer, files: readonly string[]): boolean {
  if (languages === undefined && paths === undefined) return true;
  const isPath = pathMatcher(paths ?? ["**"]);
  return files.some((file) => {
    const language = languageOf(file);
    const isLanguage =
      languages === undefined || (language !== undefined && languages.includes(language));
    return isLanguage && isPath(file);
  });
}

/**
 * Globs that begin with `!` exclude files from what the others match, or from all files if there
 * are no others.
 */
function pathMatcher(globs: readonly string[]): (path: string) => boolean {
  const options = { dot: true };
  const negated = globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
  const plain = globs.filter((glob) => !glob.startsWith("!"));
  const isWanted = picomatch(plain.length === 0 ? ["**"] : plain, options);
  const isUnwanted = picomatch(negated, options);
  return (path) => isWanted(path) && !isUnwanted(path);
}

function skippedBy({ name, languages = [], paths = [] }: Reviewer): Skipped {
  return { name, languages, paths };
}

/**
 * Groups the chosen reviewers of one range into engine turns of at most `batch` reviewers.
 * Reviewers with another engine or model never share a turn.
 */
export function batchReviewers(
  chosen: readonly Reviewer[],
  batch: number,
): readonly (readonly Reviewer[])[] {
  const turns: Reviewer[][] = [];
  for (const reviewer of chosen) {
    const turn = turns.find(
      ([first, ...others]) =>
        first !== undefined && others.length + 1 < batch && runsLike(first, reviewer),
    );
    if (turn === undefined) turns.push([reviewer]);
    else turn.push(reviewer);
  }
  return turns;
}

function runsLike(one: Reviewer, other: Reviewer): boolean {
  return one.engine === other.engine && one.model === other.model;
}
