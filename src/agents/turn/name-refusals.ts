import { need } from "../../base/fatal.ts";
import { inSentences } from "../../base/words/in-sentences.ts";
import { REASON_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { TurnRefusals } from "../../session/state/role-turns.ts";
import type { RoleContext } from "../work/role-context.ts";

/**
 * Why an attempt at a unit failed, as one bounded line, with what its engine was refused in it: that may
 * be why, whatever else is said.
 */
export function withRefusals(
  { reader, role }: Pick<RoleContext, "reader" | "role">,
  unit: string,
  reason: string,
): string {
  return nameRefusals(reason, need(reader.readTurns()).facts.refusalsOf(role, unit));
}

/** The reason, and each refusal that it does not name itself. */
export function nameRefusals(reason: string, refusals: readonly TurnRefusals[]): string {
  const named = [
    ...new Set(
      refusals.filter(({ refused }) => refused === "" || !reason.includes(refused)).map(wordsOf),
    ),
  ];
  const said = cleanText(named.join(". "), { charsMax: REASON_CHARS_MAX / 2, lines: "one" });
  if (said === "") return cleanText(reason, { charsMax: REASON_CHARS_MAX, lines: "one" });
  // What was refused is not to be cut off behind a long reason.
  const room = REASON_CHARS_MAX - said.length - ". ".length;
  return inSentences(cleanText(reason, { charsMax: room, lines: "one" }), said).replace(/\.$/u, "");
}

function wordsOf({ engine, denied, refused }: TurnRefusals): string {
  const what =
    refused === ""
      ? denied === 1
        ? "a call of a tool"
        : `${String(denied)} calls of tools`
      : refused;
  return `${engine} was refused: ${what}`;
}
