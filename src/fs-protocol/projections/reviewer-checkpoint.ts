import { Oid } from "../../base/oid.ts";
import { ok, type Result } from "../../base/result.ts";
import { decodeAnswered, encodeAnswered } from "./answered-line.ts";
import { badLine, type BadLine } from "../codec/bad-line.ts";

/**
 * One line of `logs/reviewer.checkpoint`, a cache of what `reviewer.log` says: `<sha>` of the commit
 * up to which everything was looked at, `<sha>|gaveup` when the reviewer gave up on that commit. A
 * later line about a commit that was given up is its second review, and moves nothing.
 */
export interface ReviewedCommit {
  readonly sha: Oid;
  readonly gaveUp: boolean;
}

/** One line, newline included. */
export function encodeReviewedCommit({ sha, gaveUp }: ReviewedCommit): string {
  return encodeAnswered({ subject: sha, gaveUp });
}

/** One line without its newline. */
export function decodeReviewedCommit(line: string): Result<ReviewedCommit, BadLine> {
  const answered = decodeAnswered(line);
  if (!answered.ok) return answered;
  const sha = Oid.safeParse(answered.value.subject);
  if (!sha.success) return badLine("its first field is not a full-length git object id");
  return ok({ sha: sha.data, gaveUp: answered.value.gaveUp });
}
