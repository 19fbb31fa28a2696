import { abbreviate } from "../../base/oid.ts";
import { inSentences } from "../../base/words/in-sentences.ts";

import { cleanText } from "../../base/words/clean-text.ts";
import type { GaveUp } from "../../session/state/gave-up.ts";
import type { SessionState } from "../../session/state/session-state.ts";

/** The limit for the reason of a failure, so that there is room for what to do about it. */
const WHY_CHARS_MAX = 300;
/** The largest number of units that are named; the others are only counted. */
const UNITS_NAMED_MAX = 2;

/** A unit that gave up: its role, its subject, and why its last attempt failed. */
interface GivenUpUnit {
  readonly role: "planner" | "reviewer" | "tester";
  readonly what: string;
  readonly why: string | undefined;
}

/**
 * Describes the units that gave up and were not started again since, in sentences: which role, on what, why, and what
 * a person can do.
 *
 * @param hasPlanner false if the message already explains what the planner gave up on
 */
export function gaveUpWords(
  state: SessionState,
  { hasPlanner }: { readonly hasPlanner: boolean },
): readonly string[] {
  const all = givenUpUnits(state).filter(({ role }) => hasPlanner || role !== "planner");
  const named = all.slice(0, UNITS_NAMED_MAX);
  const more = all.length - named.length;
  if (all.length === 0) return [];
  const logs = [...new Set(all.map(({ role }) => `logs/${role}.log`))].join(" and ");
  return [
    ...named.map(({ role, what, why }) =>
      inSentences(`The ${role} gave up on ${what}${reasonWords(why)}`),
    ),
    ...(more === 0 ? [] : [`So did ${String(more)} more`]),
    `See ${logs}; fix what is in the way, then run wisp resume`,
  ];
}

function reasonWords(why: string | undefined): string {
  const reason = cleanText(why ?? "", { charsMax: WHY_CHARS_MAX, lines: "one" });
  return reason === "" ? "" : `: ${reason}`;
}

function givenUpUnits({ planner, reviewer, tester }: SessionState): readonly GivenUpUnit[] {
  const answer = planner.answers.at(-1);
  const plan = answer?.gaveUpAtReopens === undefined ? [] : [givenUpPlan(answer.reason)];
  const final: GivenUpUnit = { role: "tester", what: "the final pass", why: tester.finalReason };
  return [
    ...plan,
    ...[...reviewer.gaveUp.values()].map((unit) => givenUpJudgement("reviewer", unit)),
    ...[...tester.gaveUp.values()].map((unit) => givenUpJudgement("tester", unit)),
    ...(tester.finalGaveUp ? [final] : []),
  ];
}

function givenUpPlan(why: string | undefined): GivenUpUnit {
  return { role: "planner", what: "its plan", why };
}

function givenUpJudgement(
  role: "reviewer" | "tester",
  { of, subject, first, reason }: GaveUp,
): GivenUpUnit {
  const verb = role === "reviewer" ? "the review" : "the test";
  if (of === "milestone") return { role, what: `${verb} of milestone "${subject}"`, why: reason };
  const last = abbreviate(subject);
  const commits =
    first === undefined ? `commit ${last}` : `commits ${abbreviate(first)} to ${last}`;
  return { role, what: `${verb} of ${commits}`, why: reason };
}
