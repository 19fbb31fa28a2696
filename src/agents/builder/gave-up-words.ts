import { abbreviate } from "../../base/oid.ts";
import { inSentences } from "../../base/words/in-sentences.ts";

import { cleanText } from "../../base/words/clean-text.ts";
import type { GaveUp } from "../../session/state/gave-up.ts";
import type { SessionState } from "../../session/state/session-state.ts";

/** Of a last failure: what to do about it is to have room, too. */
const WHY_CHARS_MAX = 300;
/** Of more units the rest is counted. */
const UNITS_NAMED_MAX = 2;

/** A unit that gave up: whose it is, what it was about, and how its last attempt failed. */
interface Lost {
  readonly role: "planner" | "reviewer" | "tester";
  readonly what: string;
  readonly why: string | undefined;
}

/**
 * The units that gave up and were not asked again since, in sentences: which role, on what, why, and what a
 * person can do.
 *
 * @param hasPlanner false: what the planner gave up on is said elsewhere
 */
export function gaveUpWords(
  state: SessionState,
  { hasPlanner }: { readonly hasPlanner: boolean },
): readonly string[] {
  const all = lost(state).filter(({ role }) => hasPlanner || role !== "planner");
  const named = all.slice(0, UNITS_NAMED_MAX);
  const more = all.length - named.length;
  if (all.length === 0) return [];
  const logs = [...new Set(all.map(({ role }) => `logs/${role}.log`))].join(" and ");
  return [
    ...named.map(({ role, what, why }) =>
      inSentences(`The ${role} gave up on ${what}${saidOf(why)}`),
    ),
    ...(more === 0 ? [] : [`So did ${String(more)} more`]),
    `See ${logs}; fix what is in the way, then run wisp resume`,
  ];
}

function saidOf(why: string | undefined): string {
  const said = cleanText(why ?? "", { charsMax: WHY_CHARS_MAX, lines: "one" });
  return said === "" ? "" : `: ${said}`;
}

function lost({ planner, reviewer, tester }: SessionState): readonly Lost[] {
  const answer = planner.answers.at(-1);
  const plan = answer?.gaveUpAtReopens === undefined ? [] : [planLost(answer.reason)];
  const final: Lost = { role: "tester", what: "the final pass", why: tester.finalReason };
  return [
    ...plan,
    ...[...reviewer.gaveUp.values()].map((unit) => judgeLost("reviewer", unit)),
    ...[...tester.gaveUp.values()].map((unit) => judgeLost("tester", unit)),
    ...(tester.finalGaveUp ? [final] : []),
  ];
}

function planLost(why: string | undefined): Lost {
  return { role: "planner", what: "its plan", why };
}

function judgeLost(role: "reviewer" | "tester", { of, subject, first, reason }: GaveUp): Lost {
  const verb = role === "reviewer" ? "the review" : "the test";
  if (of === "milestone") return { role, what: `${verb} of milestone "${subject}"`, why: reason };
  const last = abbreviate(subject);
  const commits =
    first === undefined ? `commit ${last}` : `commits ${abbreviate(first)} to ${last}`;
  return { role, what: `${verb} of ${commits}`, why: reason };
}
