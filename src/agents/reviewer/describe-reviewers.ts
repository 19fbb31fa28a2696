import type { Reviewer } from "../../settings/reviewer.ts";

/**
 * The part of a review's prompt that differs by reviewer: for whom the turn is, what each looks for, and
 * the heads of the blocks that it prints.
 *
 * @param reviewers of one turn, at least one
 */
export function describeReviewers(reviewers: readonly Reviewer[]): string {
  const parts = reviewers.map(({ name, level, prompt }) => `## ${name} (${level})\n\n${prompt}`);
  if (reviewers.length === 1) return parts.join("\n\n");
  const heads = reviewers.map(({ name, level }) => `    [Review] ${name} (${level})`);
  return [
    `You are ${String(reviewers.length)} reviewers in turn. Look once for each, by what is said below its name,` +
      " and print one block for each, in this order, each begun by its line:",
    heads.join("\n"),
    ...parts,
  ].join("\n\n");
}
