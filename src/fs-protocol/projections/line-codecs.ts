import type { Result } from "../../base/result.ts";
import type { BadLine } from "../codec/bad-line.ts";
import type { HomeFileOf } from "../home/catalogue.ts";
import { decodeDivergence } from "../records/divergence.ts";
import { decodeAnsweredMilestone, encodeAnsweredMilestone } from "./answered-milestone.ts";
import { decodeDone, encodeDone } from "./builder-done.ts";
import { decodeItem } from "./items-md.ts";
import { decodeMilestone, encodeMilestone } from "./milestones-log.ts";
import { decodeReviewedCommit, encodeReviewedCommit } from "./reviewer-checkpoint.ts";
import { decodeRevision, encodeRevision } from "./revisions-log.ts";
import { decodeFinalPass, encodeFinalPass } from "./tester-final.ts";

/** How the lines of a file are read. */
export interface LineCodec {
  /** Decodes a line without its newline; the type of the value depends on the file. */
  readonly decode: (line: string) => Result<unknown, BadLine>;
  /**
   * A line, without its newline, as this version writes it: without fields that a later version
   * appended.
   */
  readonly asWritten: (line: string) => string;
}

function codec<T>(
  decode: (line: string) => Result<T, BadLine>,
  encode: (value: T) => string,
): LineCodec {
  return {
    decode,
    asWritten: (line) => {
      const decoded = decode(line);
      return decoded.ok ? encode(decoded.value).slice(0, -1) : line;
    },
  };
}

/**
 * Files that people read and write: later versions do not append fields, and lines are never
 * rewritten.
 */
function prose(decode: LineCodec["decode"]): LineCodec {
  return { decode, asWritten: (line) => line };
}

const answers = codec(decodeAnsweredMilestone, encodeAnsweredMilestone);

/** The codec of every file of a home whose lines are derived from records. */
export const LINE_CODECS: Readonly<Record<HomeFileOf<"lines">, LineCodec>> = {
  reviews: prose(decodeItem),
  bugs: prose(decodeItem),
  changes: prose(decodeDivergence),
  milestones: codec(decodeMilestone, encodeMilestone),
  builderDone: codec(decodeDone, encodeDone),
  revisions: codec(decodeRevision, encodeRevision),
  reviewerCheckpoint: codec(decodeReviewedCommit, encodeReviewedCommit),
  reviewerMilestone: answers,
  testerMilestone: answers,
  testerFinal: codec(decodeFinalPass, encodeFinalPass),
};
