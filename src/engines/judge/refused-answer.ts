import { cleanText } from "../../base/words/clean-text.ts";
import type { FailureClass } from "../../fs-protocol/records/failure-class.ts";
import { lastMessageLines } from "../../fs-protocol/findings/last-message.ts";
import type { TurnReport } from "../events/turn-report.ts";
import type { SaidAt } from "./clock-words.ts";
import { failureOf, type TurnFailure } from "./failure-class.ts";
import { lastWords } from "./own-words.ts";

/** The last lines of an answer in which a refusal is looked for; a provider's words are few. */
const LINES_MAX = 3;
const CHARS_MAX = 4_096;
/** Some agents put their messages one behind the other, each with its kind in front. */
const MESSAGE = /\n|(?=\b(?:Error|Info|Warning): )/u;
/** The answer of a turn that judged something. */
const VERDICT = /^#{1,6} Verdict:/mu;

/** What a provider refuses in words. */
const REFUSALS: ReadonlySet<FailureClass> = new Set([
  ...(["auth", "limited", "overloaded", "network", "context-too-long"] as const),
]);

/**
 * The refusal of a provider that an agent passed on as its answer, in a turn that ended well by its own account.
 * Only if the turn called no tool, so that nothing in the answer is the output of a project, and gave neither a last
 * message nor a verdict. `undefined` if there is none.
 */
export function refusalIn(report: TurnReport, at: SaidAt): TurnFailure | undefined {
  const { text, calls, toolResults } = report;
  if (calls.list.length > 0 || toolResults.all > 0) return undefined;
  if (VERDICT.test(text) || lastMessageLines(text.split("\n")) !== undefined) return undefined;
  const clean = cleanText(text.slice(-CHARS_MAX), { charsMax: CHARS_MAX, lines: "many" });
  const lines = clean.split(MESSAGE).filter((line) => line.trim() !== "");
  const last = lines.slice(-LINES_MAX);
  const failure = failureOf({ message: lastWords(last) }, at, "words");
  return REFUSALS.has(failure.class) ? { ...failure, message: last.join(" / ") } : undefined;
}
