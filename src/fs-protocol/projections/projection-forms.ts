import { basename } from "node:path";
import type { Result } from "../../base/result.ts";
import { decodeAnsweredMilestone, encodeAnsweredMilestone } from "./answered-milestone.ts";
import type { BadLine } from "../codec/bad-line.ts";
import { decodeDone, encodeDone } from "./builder-done.ts";
import { decodeMilestone, encodeMilestone } from "./milestones-log.ts";
import { decodeReviewedCommit, encodeReviewedCommit } from "./reviewer-checkpoint.ts";
import { decodeRevision, encodeRevision } from "./revisions-log.ts";
import { decodeFinalPass, encodeFinalPass } from "./tester-final.ts";

type Rewrite = (line: string) => string;

const REWRITES: ReadonlyMap<string, Rewrite> = new Map([
  ["milestones.log", rewrite(decodeMilestone, encodeMilestone)],
  ["builder.done", rewrite(decodeDone, encodeDone)],
  ["reviewer.checkpoint", rewrite(decodeReviewedCommit, encodeReviewedCommit)],
  ["reviewer.milestone", rewrite(decodeAnsweredMilestone, encodeAnsweredMilestone)],
  ["tester.milestone", rewrite(decodeAnsweredMilestone, encodeAnsweredMilestone)],
  ["tester.final", rewrite(decodeFinalPass, encodeFinalPass)],
  ["revisions.log", rewrite(decodeRevision, encodeRevision)],
]);

function rewrite<T>(
  decode: (line: string) => Result<T, BadLine>,
  encode: (value: T) => string,
): Rewrite {
  return (line) => {
    const decoded = decode(line);
    return decoded.ok ? encode(decoded.value).slice(0, -1) : line;
  };
}

/**
 * A line of a projection, without its newline, as this version writes it: without the fields that a later
 * one put behind. What is no line of the file stays as it is.
 *
 * @param path of the file, of which the name alone counts
 */
export function asWritten(path: string, line: string): string {
  return REWRITES.get(basename(path))?.(line) ?? line;
}
