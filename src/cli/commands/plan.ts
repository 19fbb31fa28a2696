import {
  approvePlan,
  planToDecide,
  rejectPlan,
  type PlanToDecide,
} from "../../actions/plan/decide-plan.ts";
import { readPlanView } from "../../actions/plan/read-plan-view.ts";
import { readStagedPlan } from "../../actions/plan/staged-plan.ts";
import { EXIT } from "../../base/exit-code.ts";
import { need } from "../../base/fatal.ts";
import { ok } from "../../base/result.ts";
import { replaceTicks } from "../../fs-protocol/tasks/tasks-ticks.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { showRows } from "../../terminal/show-view.ts";
import { planGraph } from "../../views/plan/plan-graph.ts";
import { shownPlanRows } from "../../views/plan/shown-plan-rows.ts";
import { ticksAhead } from "../../views/status/milestone-status.ts";
import { editHere } from "./edit-plan.ts";
import { findSession } from "../../workspace/find-session.ts";
import { readState } from "../../workspace/session/read-state.ts";

/** How `wisp plan` shows the plan. */
export interface PlanLook {
  readonly session: string | undefined;
  readonly graph: boolean;
  readonly json: boolean;
}

/** What a person decides about the plan that waits. */
export interface PlanDecision {
  readonly session: string | undefined;
  readonly decision: "approve" | "edit" | { readonly reject: string };
  /** The beginning of the digest of the plan that the person looked at. */
  readonly digest: string | undefined;
  readonly dryRun: boolean;
}

/** `wisp plan`: the plan that waits for an approval, or else the one in force. */
export async function showPlan(cli: Cli, { session, graph, json }: PlanLook): Promise<Outcome> {
  const { found, state } = await readSession(cli, session);
  const view = await readPlanView(cli, found, state);
  if (json) cli.terminal.out(JSON.stringify(view, undefined, 2));
  else if (graph) cli.terminal.out(planGraph(view));
  else showRows(cli.terminal, shownPlanRows(view));
  return ok(EXIT.ok);
}

async function readSession(cli: Cli, named: string | undefined) {
  const found = need(findSession(cli.host.files, cli.cwd, named));
  const { state } = need(await readState(cli, found));
  return { found, state };
}

/** `wisp plan --approve`, `--edit` and `--reject`. */
export async function decidePlan(
  cli: Cli,
  { session, decision, digest, dryRun }: PlanDecision,
): Promise<Outcome> {
  const { found, state } = await readSession(cli, session);
  const decided = need(planToDecide(found, state, digest));
  // What cannot be read cannot have been looked at.
  const staged = need(readStagedPlan(cli.host.files, found, decided.waiting.staged.plan));
  // The boxes are wisp's: what an engine ticked in its plan must not become a person's tick.
  const text = replaceTicks(staged, ticksAhead(state));
  if (dryRun) return sayDecision(cli, decided, decision);
  if (decision === "approve") await approvePlan(cli, decided);
  else if (decision !== "edit") await rejectPlan(cli, decided, decision.reject);
  else return editHere(cli, decided, text);
  return ok(EXIT.ok);
}

function sayDecision(
  cli: Cli,
  { found }: PlanToDecide,
  decision: PlanDecision["decision"],
): Outcome {
  const what = typeof decision === "string" ? decision : "reject";
  cli.terminal.err(`Would ${what} the plan of ${found.session.id}.`);
  cli.terminal.err("Nothing was done.");
  return ok(EXIT.ok);
}
