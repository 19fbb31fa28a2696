import { roleLog } from "../../fs-protocol/home/home.ts";
import { TesterRecord } from "../../fs-protocol/records/tester-log.ts";
import { coordinateTurns } from "../../session/steps/coordinate.ts";
import { createJournal } from "../work/journal.ts";
import { contextOf, guardedStart, type RoleStart } from "../work/role-start.ts";
import { runRole, type RoleEnd } from "../work/run-role.ts";
import { testerMain } from "./main.ts";

/** Runs the tester of a session in this process. */
export function startTester(plain: RoleStart): Promise<RoleEnd> {
  const start = guardedStart("tester", plain);
  const { host, home, stop } = start;
  const journal = createJournal(host, roleLog(home, "tester"), TesterRecord);
  const context = { ...contextOf("tester", start), journal };
  return runRole({
    context,
    main: testerMain(context),
    decide: (state, nowMs) => coordinateTurns("tester", state, nowMs),
    interrupt: () => {
      stop.abort();
    },
  });
}
