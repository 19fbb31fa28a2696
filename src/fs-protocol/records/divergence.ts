import { z } from "zod";
import { inSentences } from "../../base/words/in-sentences.ts";
import { REASON_CHARS_MAX } from "../../base/limits.ts";
import type { Role } from "../../base/role.ts";
import { ok, type Result } from "../../base/result.ts";
import { badLine, type BadLine } from "../codec/bad-line.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { SessionJson } from "../home/session-json.ts";
import { Reason, UnitKey, recordOf } from "../codec/record-fields.ts";

/** So many of one turn are taken; of more, an engine is telling its work and not where it left the request. */
const DIVERGENCES_MAX = 10;

const line = z
  .string()
  .transform((text) => cleanText(text, { charsMax: REASON_CHARS_MAX, lines: "one" }));

/** Where the work left the request, in the words of an engine. */
export interface Divergence {
  readonly what: string;
  /** Empty where the engine gave none. */
  readonly reason: string;
}

const Said = z.union([
  line.transform((what) => ({ what, reason: "" })),
  z.object({ what: line, reason: line.catch("") }),
]);

/**
 * The `divergence` of an engine's word: a list of `{"what":…,"reason":…}`, or of sentences. What is no
 * such thing is passed over, as is everything behind the first ten.
 */
export const Divergences = z
  .array(Said.optional().catch(undefined))
  .transform((said): readonly Divergence[] =>
    said
      .flatMap((one) => (one === undefined || one.what === "" ? [] : [one]))
      .slice(0, DIVERGENCES_MAX),
  )
  .catch([]);

/** A turn's note of it, in the log of its role. It folds into nothing but CHANGES.md. */
export const DivergenceRecord = recordOf("divergence", {
  unit: UnitKey,
  m: z.string().min(1).optional(),
  what: Reason,
  reason: Reason.optional(),
});
export type DivergenceRecord = z.infer<typeof DivergenceRecord>;

/**
 * The line of CHANGES.md that follows from a record: sentences, in the words of the engine. In the first form they
 * stand as they came, with the key of the unit behind them.
 *
 * @param form as `progress` of `session.json`
 */
export function encodeDivergence(
  role: Role,
  record: DivergenceRecord,
  form: SessionJson["progress"],
): string {
  const { time, unit, m, what, reason = "" } = record;
  const when = `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
  const of = m === undefined ? "" : `, "${cleanText(m, { charsMax: 200, lines: "one" })}"`;
  if (form !== undefined) {
    const because = reason === "" ? "" : ` Reason: ${inSentences(reason)}`;
    return `- ${when}, ${role}${of}: ${inSentences(what)}${because}\n`;
  }
  const why = reason === "" ? "" : ` Reason: ${reason}`;
  return `- ${when}, ${role}${of}: ${what}${why} [${unit}]\n`;
}

const LINE = /^- \d{4}-\d\d-\d\d \d\d:\d\d UTC, (?:builder|reviewer)(?:, ".*")?: \S/u;

/** A line of CHANGES.md that follows from a record; people may write others. */
export function decodeDivergence(text: string): Result<string, BadLine> {
  return LINE.test(text) ? ok(text) : badLine("it follows from no record");
}
