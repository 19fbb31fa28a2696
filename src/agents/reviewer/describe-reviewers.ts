import type { Reviewer } from "../../settings/reviewers/reviewer.ts";

/**
 * The part of a review's prompt that depends on its reviewers: their names, their instructions, wisp's own
 * evidence for them, and the headings of the blocks that they must print.
 *
 * @param reviewers of one turn, at least one
 * @param evidence what wisp computed, by the name of the reviewer that it is for
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
