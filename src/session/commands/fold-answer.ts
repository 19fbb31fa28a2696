import type { CommandSettings } from "../../fs-protocol/home/command-settings.ts";
import type { HumanRecord } from "../../fs-protocol/records/human-log.ts";

/** What first answers brought, by the id of the question. */
interface Answered {
  readonly answers: ReadonlyMap<string, string>;
  readonly commands: ReadonlyMap<string, CommandSettings>;
}

/**
 * Applies the first answer to a question, with the commands that came with it.
 *
 * @param isVoid the session was closed before
 */
export function foldAnswer<Fold extends Answered>(
  fold: Fold,
  { question, text, settings }: Extract<HumanRecord, { readonly kind: "answer" }>,
  isVoid: boolean,
): Fold {
  const next = { ...fold, answers: new Map(fold.answers).set(question, text) };
  if (settings === undefined || isVoid) return next;
  return { ...next, commands: new Map(fold.commands).set(question, settings) };
}
