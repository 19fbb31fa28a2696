import type { Cli, Outcome } from "../terminal/cli.ts";

// What the commands share that create or continue a session.

export const DRY_RUN = ["--dry-run", "only show what would be done"] as const;

export const JSON_AT_ONCE = [
  "--json",
  "return immediately and print one JSON object, for programs",
] as const;

/** Limits, in the form that `budget-setting.ts` parses. */
export const BUDGET = [
  "--budget <limits>",
  "what the session may use: usd=5,turns=200,tokens=2M,duration=4h, or some of these",
] as const;
export const MILESTONE_BUDGET = [
  "--milestone-budget <limits>",
  "what each milestone may use, in the same form",
] as const;

export const PLAN = ["--plan", "have the planner plan the request, whatever its form"] as const;

export const PLAIN = ["--plain", "print one line per event instead of showing the screen"] as const;

export const RECORD = [
  "--record <directory>",
  "record what the engines do, as a cassette for the engine replay",
] as const;

export const TRACE = [
  "--trace <file>",
  "record where wisp's own time goes, for ui.perfetto.dev or chrome://tracing; continues a trace (also: WISP_TRACE)",
] as const;

/** What `start`, `up` and `resume` have in common. */
export interface CommonFlags {
  readonly plain?: boolean;
  readonly dryRun?: boolean;
  readonly record?: string;
  readonly trace?: string;
  readonly budget?: string;
  readonly milestoneBudget?: string;
}

/** After the command itself, releases clones that have long been idle. */
export async function released(cli: Cli, outcome: Outcome): Promise<Outcome> {
  if (outcome.ok) await (await import("../actions/up/hibernate.ts")).releaseAllIdle(cli);
  return outcome;
}
