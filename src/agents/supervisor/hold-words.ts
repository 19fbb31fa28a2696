import { inSentences } from "../../base/words/in-sentences.ts";
import type { TurnHold } from "../../session/steps/step.ts";

/** Why a role may have no turn for now, and what ends that: the text that follows "waits: ". */
export function holdWords(hold: TurnHold): string {
  if (hold.kind === "engine") {
    const { engine, untilMs, reason } = hold;
    if (untilMs === undefined) return `${inSentences(reason)} See to it, then: wisp up`;
    return `${engine} is left alone until ${new Date(untilMs).toISOString()}: ${reason}`;
  }
  const { milestone, of, used, allowed } = hold;
  const whose = milestone === undefined ? "the session" : `milestone "${milestone}"`;
  return (
    `the budget of ${whose} is used up: ${amount(of, used)} of ${amount(of, allowed)}. ` +
    `To give more: wisp resume ${budgetExample(hold)}`
  );
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
