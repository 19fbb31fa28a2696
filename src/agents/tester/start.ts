import { roleLog } from "../../fs-protocol/home.ts";
import { TesterRecord } from "../../fs-protocol/tester-log.ts";
import { coordinateTurns } from "../../streams/coordinate.ts";
import { createJournal } from "../journal.ts";
import { contextOf, guardedStart, type RoleStart } from "../role-start.ts";
import { runRole, type RoleEnd } from "../run-role.ts";
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
