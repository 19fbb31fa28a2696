import type { CassetteStep, CassetteTurn } from "../../engines/replay/cassette-schema.ts";
import type { TurnOutcome, TurnRequest } from "../../engines/engine.ts";
import { tickTasks } from "../../engines/replay/tick-tasks.ts";
import { newTicks } from "../../fs-protocol/tasks/tasks-ticks.ts";
import { REDACTED, type Redact } from "./redact.ts";

/** What a turn became of the plan, or of the copy to tick. */
export function tasksSteps(
  before: string | undefined,
  after: string | undefined,
  redact: Redact,
): readonly CassetteStep[] {
  if (after === undefined || after === before) return [];
  const ticks = before === undefined ? [] : [...newTicks(before, after).ticks];
  let text = before ?? "";
  for (const [milestone, ordinals] of ticks) {
    const ticked = tickTasks(text, { milestone, tasks: [...ordinals] });
    text = ticked.ok ? ticked.value : "";
  }
  if (text !== after) return [{ plan: redact(after) }];
  return ticks.map(([milestone, tasks]) => ({ tick: { milestone, tasks: [...tasks] } }));
}

/** What a turn said at its end, so that the player says it, too. */
export function answerSteps(
  outcome: TurnOutcome,
  { cwd }: Pick<TurnRequest, "cwd">,
  redact: Redact,
): readonly CassetteStep[] {
  // The clone is elsewhere when it is played.
  const bare = (text: string) => redact(text.replaceAll(`${cwd}/`, "").replaceAll(cwd, "."));
  const word = (fields: object) => ({ print: bare(JSON.stringify(fields)) });
  switch (outcome.kind) {
    case "ended":
      return outcome.text.trim() === "" ? [] : [{ print: bare(outcome.text) }];
    case "needs-input":
      return [word({ status: "NEEDS_INPUT", question: outcome.question })];
    case "blocked":
      return [word({ status: "BLOCKED", question: outcome.question })];
    case "failed":
      return [word({ status: "BLOCKED", error: outcome.reason }), { exit: 1 }];
    case "stopped":
      return [];
  }
}

const OID = /[0-9a-f]{40,64}/gu;
/** Whose turn of several reviewers' it is stands in its prompt. */
const REVIEWER = /^## \S+ \((?:blocking|warning|suggestion)\)$/mu;

/** What the turn is chosen by: the unit, without the ids of commits, which are others when it is played. */
export function conditionsOf(
  { purpose, unit, attempt, ask, prompt }: TurnRequest,
  subject: string | undefined,
  redact: Redact,
): CassetteTurn["on"] {
  const isReview = purpose === "review-commit" || purpose === "review-milestone";
  const reviewer = isReview ? REVIEWER.exec(prompt)?.[0] : undefined;
  const isOfCommit = purpose === "review-commit" && subject !== undefined && subject !== "";
  return {
    purpose,
    unit: unit.replace(OID, "*"),
    attempt,
    ask,
    ...(isOfCommit ? { subject: redact(subject).replaceAll(REDACTED, "*") } : {}),
    ...(reviewer === undefined ? {} : { prompt: reviewer }),
  };
}
