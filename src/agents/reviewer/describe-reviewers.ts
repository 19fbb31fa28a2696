import type { Reviewer } from "../../settings/reviewers/reviewer.ts";

/**
 * The part of a review's prompt that differs by reviewer: for whom the turn is, what each looks for, what
 * wisp itself saw that concerns them, and the heads of the blocks that they print.
 *
 * @param reviewers of one turn, at least one
 * @param evidence by the name of the reviewer whom it is told
 */
export function describeReviewers(
  reviewers: readonly Reviewer[],
  evidence: ReadonlyMap<string, string> = new Map(),
): string {
  const parts = reviewers.map(({ name, level, prompt }) => {
    const seen = evidence.get(name) ?? "";
    return [`## ${name} (${level})`, prompt, seen].filter((part) => part !== "").join("\n\n");
  });
  if (reviewers.length === 1) return parts.join("\n\n");
  const heads = reviewers.map(({ name, level }) => `    [Review] ${name} (${level})`);
  return [
    `You are ${String(reviewers.length)} reviewers in turn. Look once for each, by what is said below its name,` +
      " and print one block for each, in this order, each begun by its line:",
    heads.join("\n"),
    ...parts,
  ].join("\n\n");
}
