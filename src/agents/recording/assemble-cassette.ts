import type { z } from "zod";
import type { CassetteFile, CassetteStep } from "../../engines/replay/cassette-schema.ts";
import type { RecordedTurn } from "./recorded-turn.ts";

type Cassette = z.infer<typeof CassetteFile>;

/** Played where a run takes another way than the recorded one: nothing is found. */
const DEFAULTS: Cassette["defaults"] = {
  replan: [],
  "review-commit": [{ print: "### Verdict: PASSED" }],
  "review-milestone": [{ print: "### Verdict: PASSED" }],
  "verify-fix": [{ print: "### Verdict: PASSED" }],
  test: [{ print: "### Verdict: PASSED" }],
  "final-test": [{ print: "### Verdict: PASSED" }],
};

/**
 * The cassette of a recording. A turn that was interrupted, or that failed for no fault of the work (no
 * login, a limit, a provider that is down), was taken again: the turn that counted is played, and before
 * it what those before it had done, where it went on from there.
 *
 * @param turns in the order in which they ended
 */
export function assembleCassette(turns: readonly RecordedTurn[]): Cassette {
  const byKey = new Map<string, RecordedTurn[]>();
  for (const turn of turns) {
    const key = JSON.stringify([turn.unit, turn.on]);
    byKey.set(key, [...(byKey.get(key) ?? []), turn]);
  }
  const played = [...byKey.values()].flatMap((tries) => {
    const last = tries.findLast((turn) => !isTakenAgain(turn));
    return last === undefined ? [] : [{ on: last.on, do: stepsOf(last, tries) }];
  });
  return { version: 1, turns: played, defaults: DEFAULTS };
}

const TAKEN_AGAIN: readonly RecordedTurn["failure"][] = [
  "auth",
  "limited",
  "overloaded",
  "network",
  "no-session",
];

function isTakenAgain({ outcome, failure }: RecordedTurn): boolean {
  return outcome === "stopped" || (failure !== undefined && TAKEN_AGAIN.includes(failure));
}

function stepsOf(turn: RecordedTurn, tries: readonly RecordedTurn[]): CassetteStep[] {
  const earlier = workBefore(turn, tries.slice(0, tries.indexOf(turn)));
  return [...earlier, ...turn.work, ...turn.tasks, ...turn.said];
}

/** What the tries before it had done, as far as this one began where they had ended. */
function workBefore({ before }: RecordedTurn, tries: readonly RecordedTurn[]): CassetteStep[] {
  const last = tries.at(-1);
  if (last?.after.head !== before.head) return [];
  const work = [...workBefore(last, tries.slice(0, -1)), ...last.work];
  if (last.after.tree === before.tree) return work;
  // What was left uncommitted was put away: only the commits are still there.
  return work.slice(0, work.findLastIndex((step) => step.commit !== undefined) + 1);
}
