import type { CassetteStep, CassetteTurn } from "../../engines/replay/cassette-schema.ts";
import type { TurnOutcome, TurnRequest } from "../../engines/engine.ts";
import { tickTasks } from "../../engines/replay/tick-tasks.ts";
import { newTicks } from "../../fs-protocol/tasks/tasks-ticks.ts";
import { REDACTED, type Redact } from "./redact.ts";

/** The steps that repeat what a turn changed in the plan or in the copy to tick. */
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

/** The steps that repeat a turn's answer. */
export function answerSteps(
  outcome: TurnOutcome,
  { cwd }: Pick<TurnRequest, "cwd">,
  redact: Redact,
): readonly CassetteStep[] {
  // A replay has its clone at another path.
  const bare = (text: string) => redact(text.replaceAll(`${cwd}/`, "").replaceAll(cwd, "."));
  const lastWord = (fields: object) => ({ print: bare(JSON.stringify(fields)) });
  switch (outcome.kind) {
    case "ended":
      return outcome.text.trim() === "" ? [] : [{ print: bare(outcome.text) }];
    case "needs-input":
      return [lastWord({ status: "NEEDS_INPUT", question: outcome.question })];
    case "blocked":
      return [lastWord({ status: "BLOCKED", question: outcome.question })];
    case "failed":
      return [lastWord({ status: "BLOCKED", error: outcome.reason }), { exit: 1 }];
    case "stopped":
      return [];
  }
}

const OID = /[0-9a-f]{40,64}/gu;
/** The line of a prompt that names the reviewer, which distinguishes the turns of several reviewers. */
const REVIEWER = /^## \S+ \((?:blocking|warning|suggestion)\)$/mu;

/** The conditions by which a replay selects the turn: the unit without commit ids, because these differ in a replay. */
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
