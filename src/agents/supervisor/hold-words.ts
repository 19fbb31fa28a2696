import { inSentences } from "../../base/words/in-sentences.ts";
import { untilWords } from "../../base/words/until-words.ts";
import type { EngineHold } from "../../session/state/role-turns.ts";
import type { TurnHold } from "../../session/steps/step.ts";

/** Why a role may have no turn for now, and what ends that: the text that follows "waits: ". */
export function holdWords(hold: TurnHold, nowMs: number): string {
  if (hold.kind === "engine") {
    const { engine, untilMs, end, reason } = hold;
    if (untilMs === undefined) return `${inSentences(reason)} See to it, then: wisp up`;
    const until = holdEndWords({ engine, untilMs, end }, nowMs);
    return `${leftAloneWords(hold)} is left alone ${until}: ${reason}`;
  }
  const { milestone, of, used, allowed } = hold;
  const whose = milestone === undefined ? "the session" : `milestone "${milestone}"`;
  return (
    `the budget of ${whose} is used up: ${amount(of, used)} of ${amount(of, allowed)}. ` +
    `To give more: wisp resume ${budgetExample(hold)}`
  );
}

/** What is left alone: `claude`, or one model of it, `claude with opus`. */
export function leftAloneWords({ engine, model }: Pick<EngineHold, "engine" | "model">): string {
  if (model === undefined) return engine;
  return `${engine} with ${model.asked ?? "its usual model"}`;
}

/** A hold that ends by itself. */
export interface TimedHold extends Pick<EngineHold, "end"> {
  readonly engine: string;
  readonly untilMs: number;
}

/** When a hold ends, and who says so: "until 15:42, in 1h 50m; said by claude". */
export function holdEndWords({ engine, untilMs, end }: TimedHold, nowMs: number): string {
  const until = untilWords(untilMs, nowMs);
  switch (end) {
    case "said":
      return `${until}; said by ${engine}`;
    case "guessed":
      return `${until}; a guess, because ${engine} does not say when its limit ends`;
    case undefined:
      return until;
  }
}

/** The option of `wisp resume` that doubles the budget. */
export function budgetExample({
  milestone,
  of,
  allowed,
}: Extract<TurnHold, { kind: "budget" }>): string {
  const flag = milestone === undefined ? "--budget" : "--milestone-budget";
  return `${flag} ${example(of, allowed)}`;
}

type Limit = Extract<TurnHold, { kind: "budget" }>["of"];

const MINUTE_MS = 60_000;

function amount(of: Limit, value: number): string {
  switch (of) {
    case "usd":
      return `${value.toFixed(2)} USD`;
    case "turns":
      return `${String(value)} turns`;
    case "tokens":
      return `${String(value)} tokens`;
    case "durationMs":
      return `${String(Math.round(value / MINUTE_MS))} minutes of turns`;
  }
}

/** The value of the option: twice the present limit. */
function example(of: Limit, allowed: number): string {
  return of === "durationMs"
    ? `duration=${String(Math.ceil((2 * allowed) / MINUTE_MS))}m`
    : `${of}=${String(2 * allowed)}`;
}
