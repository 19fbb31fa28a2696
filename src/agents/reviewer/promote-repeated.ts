import { FINDING_TEXT_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { Level, type Finding } from "../../fs-protocol/records/finding.ts";
import { foldSpace } from "../../fs-protocol/findings/finding-id.ts";
import { weightOf } from "../judge/findings-for-record.ts";

/** From this many places on, a remark counts as repeated. */
const PLACES_MIN = 2;

/**
 * Raises a finding by one level if the same words were said about two or more places, because a habit is worth a
 * fix where a single slip is not. No finding becomes heavier than its reviewer's level. The places of open findings
 * count, too, but open findings keep the level that is on record.
 *
 * @param known the open findings, by id
 *
 * @param caps level of each reviewer, by name
 */
export function promoteRepeated(
  findings: readonly Finding[],
  known: ReadonlyMap<string, Finding>,
  caps: ReadonlyMap<string, Level>,
): readonly Finding[] {
  const places = new Map<string, Set<string>>();
  for (const finding of [...known.values(), ...findings]) {
    const ids = places.get(remarkOf(finding)) ?? new Set();
    places.set(remarkOf(finding), ids.add(finding.id));
  }
  return findings.map((finding) => {
    const count = places.get(remarkOf(finding))?.size ?? 0;
    const level = heavier(finding.level, caps.get(finding.reviewer) ?? finding.level);
    if (count < PLACES_MIN || level === finding.level || known.has(finding.id)) return finding;
    const why = `It is so in ${String(count)} places, and therefore weighs more than a ${finding.level}.`;
    return { ...finding, level, issue: cut(`${finding.issue}\n\n${why}`) };
  });
}

/** Equal for the same remark about different places. */
function remarkOf({ reviewer, category, brief }: Finding): string {
  return JSON.stringify([reviewer, category, brief].map((text) => foldSpace(text).toLowerCase()));
}

/** The next heavier level, but at most `cap`. */
function heavier(level: Level, cap: Level): Level {
  const next = Level.options[weightOf(level) - 1] ?? level;
  return weightOf(next) < weightOf(cap) ? level : next;
}

function cut(text: string): string {
  return cleanText(text, { charsMax: FINDING_TEXT_CHARS_MAX, lines: "many" });
}
