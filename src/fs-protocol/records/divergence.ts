import { z } from "zod";
import { NonEmpty } from "../../base/plain-values.ts";
import { inSentences } from "../../base/words/in-sentences.ts";
import { REASON_CHARS_MAX } from "../../base/limits.ts";
import type { Role } from "../../base/role.ts";
import { ok, type Result } from "../../base/result.ts";
import { badLine, type BadLine } from "../codec/bad-line.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { SessionJson } from "../home/session-json.ts";
import { Reason, UnitKey, recordOf } from "../codec/record-fields.ts";

/**
 * The maximum per turn; an engine that lists more is describing its work, not where it left the
 * request.
 */
const DIVERGENCES_MAX = 10;

const line = z
  .string()
  .transform((text) => cleanText(text, { charsMax: REASON_CHARS_MAX, lines: "one" }));

/** Where the work departs from the request, in an engine's words. */
export interface Divergence {
  readonly what: string;
  /** Empty if the engine gave none. */
  readonly reason: string;
}

const Entry = z.union([
  line.transform((what) => ({ what, reason: "" })),
  z.object({ what: line, reason: line.catch("") }),
]);

/**
 * The `divergence` field of an engine's last message: a list of `{"what":…,"reason":…}`, or of
 * sentences. Anything else is ignored, and so is everything after the first ten.
 */
export const Divergences = z
  .array(Entry.optional().catch(undefined))
  .transform((entries): readonly Divergence[] =>
    entries
      .flatMap((one) => (one === undefined || one.what === "" ? [] : [one]))
      .slice(0, DIVERGENCES_MAX),
  )
  .catch([]);

/** A divergence that a turn reported, in its role's log. It is used for CHANGES.md alone. */
export const DivergenceRecord = recordOf("divergence", () => ({
  unit: UnitKey,
  m: NonEmpty.optional(),
  what: Reason,
  reason: Reason.optional(),
}));
export type DivergenceRecord = z.infer<typeof DivergenceRecord>;

/**
 * Encodes a record as a line of CHANGES.md: sentences, in the engine's words. The first form leaves
 * them as they are and appends the unit's key.
 *
 * @param form `progress` of `session.json`
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

/** Recognizes a line of CHANGES.md that was written from a record; people may add others. */
export function decodeDivergence(text: string): Result<string, BadLine> {
  return LINE.test(text) ? ok(text) : badLine("it follows from no record");
}
