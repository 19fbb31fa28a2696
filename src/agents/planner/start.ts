import { roleLog } from "../../fs-protocol/home.ts";
import { PlannerRecord } from "../../fs-protocol/planner-log.ts";
import { coordinateTurns } from "../../streams/coordinate.ts";
import { createJournal } from "../journal.ts";
import { contextOf, guardedStart, type RoleStart } from "../role-start.ts";
import { runRole, type RoleEnd } from "../run-role.ts";
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
