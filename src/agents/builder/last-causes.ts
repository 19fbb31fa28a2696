import { inSentences } from "../../base/words/in-sentences.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";
import { kindOfItem, openerOf } from "../../fs-protocol/records/item-id.ts";
import type { BuilderFold } from "../../session/state/builder-state.ts";
import { judgedKey } from "../../session/state/fold-judge.ts";
import type { SessionState } from "../../session/state/session-state.ts";

// Why attempts failed, for the words with which a session stops. What verify showed comes first and is never left out: the
// last attempt may have failed for a reason that says nothing, such as a turn that did nothing.

/** Limits of the words about one milestone or item: they leave room for the advice that follows. */
const RED_CHARS_MAX = 330;
const LAST_CHARS_MAX = 200;

/** Why the last attempts at a milestone did not complete it. */
export function causesOfStall(
  { reds, troubles, stalls }: Pick<BuilderFold, "reds" | "troubles" | "stalls">,
  milestone: string,
): string {
  const red = reds.get(milestone);
  const last = troubles.get(milestone)?.reason ?? "";
  const isLast = red === undefined || stalls.get(milestone)?.at(-1)?.unit === red.unit;
  if (isLast) return `The last one: ${seenWords(last, red?.output)}`;
  const unit = decodeUnit(red.unit);
  const which = unit?.kind === "build" ? `Attempt ${String(unit.attempt)}` : "An attempt before";
  return inSentences(
    `${which}: ${seenWords(red.reason, red.output)}`,
    `The last one: ${bounded(last, LAST_CHARS_MAX)}`,
  );
}

/** Why the attempts at an item did not close it; "" if that is not known. */
export function causesOfItem(state: SessionState, id: string): string {
  const all = state.builder.fixes.get(id) ?? [];
  // What verify said of attempts before a published fix is settled.
  const attempts = all.slice(
    Math.max(
      0,
      all.findLastIndex(({ outcome }) => outcome === "fixed"),
    ),
  );
  const { items, judged, refusals } = state[openerOf(id)];
  // wisp itself judges these, by running something.
  const isJudgedByRuns = kindOfItem(id) === "bug" || items.get(id)?.computed !== undefined;
  // The words of a refusal are kept for the last one only, and no other is asked for below.
  const refusal = refusals.get(id) ?? "";
  const causes = attempts.map(({ attempt, outcome, reason = "", output }) => {
    const isRefused = judged.get(judgedKey(id, attempt)) === "reopened";
    const why = isRefused ? refusal : outcome === "failed" ? reason : "";
    const isSeen = isRefused ? isJudgedByRuns : output !== undefined;
    return { why, isRefused, isSeen, output };
  });
  const last = causes.at(-1);
  const seen =
    causes.findLast(({ isSeen }) => isSeen) ??
    causes.findLast(({ isRefused }) => isRefused) ??
    causes.findLast(({ why }) => why !== "");
  if (seen === undefined) return "";
  const isLast = last === undefined || last.why === "" || last.why === seen.why;
  const rest = isLast ? [] : [`The last attempt: ${bounded(last.why, LAST_CHARS_MAX)}`];
  return inSentences(seenWords(seen.why, seen.output), ...rest);
}

/** A reason with the path of the output that shows it, which may be cut off. */
function seenWords(reason: string, output: string | undefined): string {
  if (reason === "") return "";
  const text = bounded(reason, RED_CHARS_MAX);
  const path = `logs/turns/${output ?? ""}.out`;
  return output === undefined || text.includes(path) ? text : `${text} (${path})`;
}

function bounded(text: string, charsMax: number): string {
  return cleanText(text, { charsMax, lines: "one" });
}
