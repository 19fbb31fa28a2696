import picomatch from "picomatch";
import type { Level } from "../../fs-protocol/records/finding.ts";
import { languageOf } from "./languages.ts";
import type { Reviewer } from "./reviewer.ts";

/** A range that is to be reviewed. */
export interface Change {
  /** `both`: a milestone whose commits have no other review. */
  readonly purpose: "commit" | "milestone" | "both";
  /** Paths that the range adds, changes, renames or deletes, with `/`. */
  readonly files: readonly string[];
}

/** A reviewer that looks at ranges of this kind, but not at this one: none of the files is for it. */
export interface Skipped {
  readonly name: string;
  /** The filters that no file passes; of two filters, a file has to pass both. */
  readonly languages: readonly string[];
  readonly paths: readonly string[];
}

export interface Selection {
  /** Blocking ones first, within a level by name. */
  readonly chosen: readonly Reviewer[];
  readonly skipped: readonly Skipped[];
}

/**
 * Who looks at a range. A reviewer without filters looks at every range of its kind, one with an
 * empty diff included.
 */
export function selectReviewers(
  reviewers: readonly Reviewer[],
  { purpose, files }: Change,
): Selection {
  const chosen: Reviewer[] = [];
  const skipped: Skipped[] = [];
  for (const reviewer of reviewers) {
    if (!looksAt(reviewer, purpose)) continue;
    if (isFor(reviewer, files)) chosen.push(reviewer);
    else skipped.push(skippedBy(reviewer));
  }
  return { chosen: chosen.sort(byWeight), skipped };
}

function looksAt({ when }: Reviewer, purpose: Change["purpose"]): boolean {
  if (when === "never") return false;
  return when === purpose || when === "both" || purpose === "both";
}

const WEIGHTS: Readonly<Record<Level, number>> = { blocking: 0, warning: 1, suggestion: 2 };

function byWeight(one: Reviewer, other: Reviewer): number {
  return WEIGHTS[one.level] - WEIGHTS[other.level] || (one.name < other.name ? -1 : 1);
}

function isFor({ languages, paths }: Reviewer, files: readonly string[]): boolean {
  if (languages === undefined && paths === undefined) return true;
  const isPath = pathMatcher(paths ?? ["**"]);
  return files.some((file) => {
    const language = languageOf(file);
    const isSpoken =
      languages === undefined || (language !== undefined && languages.includes(language));
    return isSpoken && isPath(file);
  });
}

/** Globs that begin with `!` take away from what the others match; alone they take away from all. */
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
 * Engine turns for the chosen reviewers of one range: at most `batch` of them share one. Reviewers that
 * ask for another engine or model never share a turn with others.
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
