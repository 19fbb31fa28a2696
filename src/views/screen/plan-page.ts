import { judgedPlanRows } from "../plan/shown-plan-rows.ts";
import type { PlanView } from "../plan/plan-view.ts";
import { row, span } from "../rows/row.ts";
import { untabbed, type TextPage } from "./page-facts.ts";

/** The plan, with what to look at in it and what it may cost. If it waits, the person decides about this very plan. */
export function planPage(view: PlanView): TextPage {
  const { status, sha256 } = view;
  const isWaiting = status === "waiting" && sha256 !== undefined;
  const keys = row(
    span("ask", "Nothing is built before you approve it: a approves, r has it changed."),
  );
  return {
    kind: "text",
    page: { kind: "plan" },
    title: isWaiting ? "Plan, waiting for your approval" : "Plan",
    lines: untabbed([...(isWaiting ? [keys, row("")] : []), ...judgedPlanRows(view)]),
    item: isWaiting ? { id: sha256, acts: ["approve", "reject"] } : undefined,
  };
}
