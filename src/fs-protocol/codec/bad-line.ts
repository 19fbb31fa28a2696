import { fail, type Result } from "../../base/result.ts";

/** Why a complete line of a file is no record of it. */
export interface BadLine {
  readonly kind: "bad-line";
  /** Goes behind the name of the file and the number of the line. */
  readonly problem: string;
}

/** A record of a kind that this version does not know, and whose writer says that it need not. */
export interface PassedOver {
  readonly kind: "passed-over";
  /** As of a bad line, for who expected a record. */
  readonly problem: string;
}

/** Why a line of a log gives no record. */
export type NoRecord = BadLine | PassedOver;

/** The failure of a decoder. */
export function badLine(problem: string): Result<never, BadLine> {
  return fail({ kind: "bad-line", problem });
}
