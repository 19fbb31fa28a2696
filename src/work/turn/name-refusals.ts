import { need } from "../../base/fatal.ts";
import { inSentences } from "../../base/words/in-sentences.ts";
import { REASON_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { TurnRefusals } from "../../session/state/role-turns.ts";
import type { RoleContext } from "../role-context.ts";

/**
 * Returns the reason why an attempt at a unit failed as one bounded line, including what the engine was refused: that
 * may be the real cause.
 */
export function withRefusals(
  { reader, role }: Pick<RoleContext, "reader" | "role">,
  unit: string,
  reason: string,
): string {
  return nameRefusals(reason, need(reader.readTurns()).facts.refusalsOf(role, unit));
}

/** The reason, followed by each refusal that it does not already name. */
export function nameRefusals(reason: string, refusals: readonly TurnRefusals[]): string {
  const named = [
    ...new Set(
      refusals.filter(({ refused }) => refused === "" || !reason.includes(refused)).map(wordsOf),
    ),
  ];
  const suffix = cleanText(named.join(". "), { charsMax: REASON_CHARS_MAX / 2, lines: "one" });
  if (suffix === "") return cleanText(reason, { charsMax: REASON_CHARS_MAX, lines: "one" });
  // The reason is shortened, so that the refusals after it are not cut off.
  const room = REASON_CHARS_MAX - suffix.length - ". ".length;
  return inSentences(cleanText(reason, { charsMax: room, lines: "one" }), suffix).replace(
    /\.$/u,
    "",
  );
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
