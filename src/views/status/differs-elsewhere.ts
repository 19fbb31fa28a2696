import { cleanText } from "../../base/words/clean-text.ts";
import { NEUTRAL } from "../../fs-protocol/records/command-result.ts";
import type { SessionState } from "../../session/state/session-state.ts";

/**
 * How verify differs where nothing is named after wisp, as the last such run shows; undefined if it does not.
 *
 * @param parts the sessions that a work consists of, oldest first
 */
export function differsElsewhere(
  ...parts: readonly Pick<SessionState, "tester">[]
): string | undefined {
  const all = parts.flatMap(({ tester }) => [...tester.ran]);
  const ran = all.findLast(([key]) => key.startsWith(NEUTRAL))?.[1];
  return ran?.outcome === "failed" ? (ran.reason ?? "") : undefined;
}

/** The same for people, with what was printed as it is to be shown; empty if it does not differ. */
export function differsLines(
  differs: string | undefined,
  shown: (text: string) => string = oneLine,
): readonly string[] {
  return differs === undefined
    ? []
    : [`verify differs where neither a path nor a variable is named after wisp: ${shown(differs)}`];
}

const WORDS_CHARS_MAX = 300;

function oneLine(text: string): string {
  return cleanText(text, { charsMax: WORDS_CHARS_MAX, lines: "one" });
}
