import type { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import type { HumanFold } from "../state/fold-human.ts";

/**
 * Applies the first answer to a question, with the commands that came with it.
 *
 * @param isVoid the session was closed before
 */
export function foldAnswer(
  fold: HumanFold,
  { question, text, settings }: Extract<HumanRecord, { readonly kind: "answer" }>,
  isVoid: boolean,
): HumanFold {
  const next = { ...fold, answers: new Map(fold.answers).set(question, text) };
  if (settings === undefined || isVoid) return next;
  return { ...next, commands: new Map(fold.commands).set(question, settings) };
}
