import { roleLog } from "../../fs-protocol/home/home.ts";
import { ReviewerRecord } from "../../fs-protocol/records/reviewer-log.ts";
import { coordinateTurns } from "../../session/steps/coordinate.ts";
import { createJournal } from "../work/journal.ts";
import { contextOf, guardedStart, type RoleStart } from "../work/role-start.ts";
import { runRole, type RoleEnd } from "../work/run-role.ts";
import { reviewerMain } from "./main.ts";

/** Runs the reviewer of a session in this process. */
export function startReviewer(plain: RoleStart): Promise<RoleEnd> {
  const start = guardedStart("reviewer", plain);
  const { host, home, stop } = start;
  const journal = createJournal(host, roleLog(home, "reviewer"), ReviewerRecord);
  const context = { ...contextOf("reviewer", start), journal };
  return runRole({
    context,
    main: reviewerMain(context),
    decide: (state, nowMs) => coordinateTurns("reviewer", state, nowMs),
    interrupt: () => {
      stop.abort();
    },
  });
}
