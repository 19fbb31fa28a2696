import { fail, type Result } from "../base/result.ts";

/** Why a complete line of a file is no record of it. */
export interface BadLine {
  readonly kind: "bad-line";
  /** Goes behind the name of the file and the number of the line. */
  readonly problem: string;
}

/** The failure of a decoder. */
export function badLine(problem: string): Result<never, BadLine> {
  return fail({ kind: "bad-line", problem });
}
