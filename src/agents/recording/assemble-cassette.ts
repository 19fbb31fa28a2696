import type { z } from "zod";
import type { CassetteFile, CassetteStep } from "../../engines/replay/cassette-schema.ts";
import type { RecordedTurn } from "./recorded-turn.ts";

type Cassette = z.infer<typeof CassetteFile>;

/** Answers for turns that the recording lacks, if a replay takes a different course: nothing is found. */
const DEFAULTS: Cassette["defaults"] = {
  replan: [],
  "review-commit": [{ print: "### Verdict: PASSED" }],
  "review-milestone": [{ print: "### Verdict: PASSED" }],
  "verify-fix": [{ print: "### Verdict: PASSED" }],
  test: [{ print: "### Verdict: PASSED" }],
  "final-test": [{ print: "### Verdict: PASSED" }],
};

/**
 * Assembles the cassette of a recording. A turn that was interrupted, or failed through no fault of the work (no login,
 * a limit, a provider that is down), was run again. The cassette plays the run that counted, after the work of the
 * earlier runs if that run continued from it.
 *
 * @param turns in the order in which they ended
 */
export function assembleCassette(turns: readonly RecordedTurn[]): Cassette {
  const byKey = new Map<string, RecordedTurn[]>();
  for (const turn of turns) {
    const key = JSON.stringify([turn.unit, turn.on]);
    byKey.set(key, [...(byKey.get(key) ?? []), turn]);
  }
  const played = [...byKey.values()].flatMap((runs) => {
    const last = runs.findLast((turn) => !wasRunAgain(turn));
    return last === undefined ? [] : [{ on: last.on, do: stepsOf(last, runs) }];
  });
  return { version: 1, turns: played, defaults: DEFAULTS };
}

const RUN_AGAIN: readonly RecordedTurn["failure"][] = [
  "auth",
  "limited",
  "overloaded",
  "network",
  "no-session",
];

function wasRunAgain({ outcome, failure }: RecordedTurn): boolean {
  return outcome === "stopped" || (failure !== undefined && RUN_AGAIN.includes(failure));
}

function stepsOf(turn: RecordedTurn, runs: readonly RecordedTurn[]): CassetteStep[] {
  const earlier = workBefore(turn, runs.slice(0, runs.indexOf(turn)));
  return [...earlier, ...turn.work, ...turn.tasks, ...turn.said];
}

/** The work of the earlier runs, as far as this run began where they ended. */
function workBefore({ before }: RecordedTurn, runs: readonly RecordedTurn[]): CassetteStep[] {
  const last = runs.at(-1);
  if (last?.after.head !== before.head) return [];
  const work = [...workBefore(last, runs.slice(0, -1)), ...last.work];
  if (last.after.tree === before.tree) return work;
  // Uncommitted changes were removed in between: only the commits remained.
  return work.slice(0, work.findLastIndex((step) => step.commit !== undefined) + 1);
}
