import { need } from "../../base/fatal.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import { SMALL_CHANGE_FILES_MAX, SMALL_CHANGE_LINES_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { configProblemSentence } from "../../settings/config/config-problem.ts";
import type { ReviewersFailure } from "../../settings/reviewers/read-reviewers.ts";
import type { Reviewer } from "../../settings/reviewers/reviewer.ts";
import {
  batchReviewers,
  selectReviewers,
  type Skipped,
} from "../../settings/reviewers/select-reviewers.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { RoleTurn } from "../../work/turn/turn.ts";

/** A range of commits to review. */
export interface Range {
  readonly unit: string;
  readonly purpose: "review-commit" | "review-milestone";
  /** The range's last commit; its first is after `about.startSha`. */
  readonly at: Oid;
  readonly start: Oid;
  /** Some of its commits get no other review, so the reviewers of commits review it, too. */
  readonly covers: boolean;
  /** The milestone that its turns are counted for. */
  readonly countedFor: string | undefined;
  readonly about: NonNullable<RoleTurn["about"]>;
}

/** Which reviewers review a range, in which turns, and which ones are skipped. */
export interface ReviewPlan {
  /** Heaviest first; each in one of the turns. */
  readonly chosen: readonly Reviewer[];
  readonly turns: readonly (readonly Reviewer[])[];
  /** True if wisp chose to share turns: after a failed attempt each reviewer gets a turn of its own. */
  readonly maySplit: boolean;
  readonly skipped: readonly (Skipped & Pick<Reviewer, "level">)[];
}

/**
 * Chooses the reviewers of a range, which the role's clone has, by its kind and by what it changes; fails if a
 * reviewer's file is broken.
 */
export async function planReview(
  context: RoleContext<"reviewer">,
  { purpose, start, at, covers }: Range,
): Promise<Result<ReviewPlan, { readonly reason: string }>> {
  const read = await context.reviewers();
  if (!read.ok) return fail({ reason: describeUnread(read.failure) });
  const clone = await context.clone();
  const changed = need(await clone.changedPaths(start, at));
  const { chosen, skipped } = selectReviewers(read.value, {
    purpose: purpose === "review-commit" ? "commit" : covers ? "both" : "milestone",
    files: changed.map(({ path }) => path),
  });
  const share = await shareOf(context, chosen, async () => {
    if (changed.length > SMALL_CHANGE_FILES_MAX) return false;
    return need(await clone.changedLines(start, at)) <= SMALL_CHANGE_LINES_MAX;
  });
  const levels = new Map(read.value.map(({ name, level }) => [name, level]));
  return ok({
    chosen,
    turns: batchReviewers(chosen, share),
    maySplit: context.session.review?.batch === "auto",
    skipped: skipped.map((each) => ({ ...each, level: levels.get(each.name) ?? "suggestion" })),
  });
}

/** How many of the chosen reviewers share a turn; `auto` has all share one if the change is small. */
async function shareOf(
  { session }: RoleContext<"reviewer">,
  chosen: readonly Reviewer[],
  isSmall: () => Promise<boolean>,
): Promise<number> {
  const batch = session.review?.batch ?? 1;
  if (batch !== "auto") return batch;
  return chosen.length > 1 && (await isSmall()) ? chosen.length : 1;
}

/** Why the reviewers cannot be used, as one line for a record; the caller must clean it. */
function describeUnread(failure: ReviewersFailure | FileFailure): string {
  if (failure.kind === "file") {
    return `the reviewers cannot be read: ${failure.path} could not be ${failure.operation} (${failure.errno})`;
  }
  const problems = failure.files.flatMap(({ path, problems: own }) =>
    own.map((problem) => `${path}:${configProblemSentence(problem)}`),
  );
  return `the reviewers cannot be used: ${problems.join("; ")}`;
}
