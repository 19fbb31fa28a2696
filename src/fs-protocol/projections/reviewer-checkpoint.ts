import { Oid } from "../../base/oid.ts";
import { ok, type Result } from "../../base/result.ts";
import { decodeAnswered, encodeAnswered } from "./answered-line.ts";
import { badLine, type BadLine } from "../codec/bad-line.ts";

/**
 * One line of `logs/reviewer.checkpoint`, which caches facts of `reviewer.log`: `<sha>` of the
 * commit up to which everything was reviewed, `<sha>|gaveup` if the reviewer gave up on that
 * commit. A later line about a commit that was given up is its second review, and does not move the
 * checkpoint.
 */
export interface ReviewedCommit {
  readonly sha: Oid;
  readonly gaveUp: boolean;
}

/** Encodes one line, newline included. */
export function encodeReviewedCommit({ sha, gaveUp }: ReviewedCommit): string {
  return encodeAnswered({ subject: sha, gaveUp });
}

/** Decodes one line without its newline. */
export function decodeReviewedCommit(line: string): Result<ReviewedCommit, BadLine> {
  const answered = decodeAnswered(line);
  if (!answered.ok) return answered;
  const sha = Oid.safeParse(answered.value.subject);
  if (!sha.success) return badLine("its first field is not a full-length git object id");
  return ok({ sha: sha.data, gaveUp: answered.value.gaveUp });
}
