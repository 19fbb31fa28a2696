import { fail, type Result } from "../../base/result.ts";

/** Why a complete line of a file could not be decoded as a record. */
export interface BadLine {
  readonly kind: "bad-line";
  /** Reported after the file's name and the line number. */
  readonly problem: string;
}

/** A record of a kind that this version does not know, and that its writer marked as optional. */
export interface PassedOver {
  readonly kind: "passed-over";
  /** As in `BadLine`, for a reader that required a record. */
  readonly problem: string;
}

/** Why a line of a log yields no record. */
export type NoRecord = BadLine | PassedOver;

/** The failure that a decoder returns. */
export function badLine(problem: string): Result<never, BadLine> {
  return fail({ kind: "bad-line", problem });
}
