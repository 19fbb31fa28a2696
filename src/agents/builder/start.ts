import { roleLog } from "../../fs-protocol/home/home.ts";
import { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import { coordinateTurns } from "../../session/steps/coordinate.ts";
import { createJournal } from "../work/journal.ts";
import { contextOf, guardedStart, type RoleStart } from "../work/role-start.ts";
import { runRole, type RoleEnd } from "../work/run-role.ts";
import { builderMain } from "./main.ts";

/** Runs the builder of a session in this process. */
export function startBuilder(plain: RoleStart): Promise<RoleEnd> {
  const start = guardedStart("builder", plain);
  const { host, home, stop } = start;
  const journal = createJournal(host, roleLog(home, "builder"), BuilderRecord);
  const context = { ...contextOf("builder", start), journal };
  return runRole({
    context,
    main: builderMain(context),
    decide: (state, nowMs) => coordinateTurns("builder", state, nowMs),
    interrupt: () => {
      stop.abort();
    },
  });
}
