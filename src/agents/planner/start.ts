import { roleLog } from "../../fs-protocol/home/home.ts";
import { PlannerRecord } from "../../fs-protocol/records/planner-log.ts";
import { coordinateTurns } from "../../session/steps/coordinate.ts";
import { createJournal } from "../work/journal.ts";
import { contextOf, guardedStart, type RoleStart } from "../work/role-start.ts";
import { runRole, type RoleEnd } from "../work/run-role.ts";
import { plannerMain } from "./main.ts";

/** Runs the planner of a session in this process. */
export function startPlanner(plain: RoleStart): Promise<RoleEnd> {
  const start = guardedStart("planner", plain);
  const { host, home, stop } = start;
  const journal = createJournal(host, roleLog(home, "planner"), PlannerRecord);
  const context = { ...contextOf("planner", start), journal };
  return runRole({
    context,
    main: plannerMain(context),
    decide: (state, nowMs) => coordinateTurns("planner", state, nowMs),
    interrupt: () => {
      stop.abort();
    },
  });
}
