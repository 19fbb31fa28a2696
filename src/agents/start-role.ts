import type { z } from "zod";
import type { Role } from "../base/role.ts";
import { CommonRecord } from "../fs-protocol/records/common-records.ts";
import { roleLog } from "../fs-protocol/home/home.ts";
import { LOG_SCHEMAS } from "../fs-protocol/home/logs.ts";
import type { SessionState } from "../session/state/session-state.ts";
import { coordinateTurns } from "../session/steps/coordinate.ts";
import { createJournal } from "../work/journal.ts";
import type { RecordOf, RoleContext } from "../work/role-context.ts";
import type { RoleMain } from "../work/role.ts";
import { contextOf, guardedStart, type RoleStart } from "./role-start.ts";
import { WriteFence } from "../home/write-fence.ts";
import { runRole, type RoleEnd, type RoleRun } from "../work/run-role.ts";

type DecideArguments = readonly [state: SessionState, nowMs: number];

/** What a role is started with, or will be: its code is loaded meanwhile. */
type Preparing = RoleStart | Promise<RoleStart>;

/** Runs one role of a session in this process. Loads the code of that role only. */
export async function startRole(role: Role, start: Preparing): Promise<RoleEnd> {
  switch (role) {
    case "planner": {
      const { plannerMain: main } = await import("./planner/main.ts");
      const decide = (...at: DecideArguments) => coordinateTurns(role, ...at);
      return run(role, start, { schema: LOG_SCHEMAS.planner, main, decide });
    }
    case "builder": {
      const { builderMain: main } = await import("./builder/main.ts");
      const decide = (...at: DecideArguments) => coordinateTurns(role, ...at);
      return run(role, start, { schema: LOG_SCHEMAS.builder, main, decide });
    }
    case "reviewer": {
      const { reviewerMain: main } = await import("./reviewer/main.ts");
      const decide = (...at: DecideArguments) => coordinateTurns(role, ...at);
      return run(role, start, { schema: LOG_SCHEMAS.reviewer, main, decide });
    }
    case "tester": {
      const { testerMain: main } = await import("./tester/main.ts");
      const decide = (...at: DecideArguments) => coordinateTurns(role, ...at);
      return run(role, start, { schema: LOG_SCHEMAS.tester, main, decide });
    }
  }
}

/** Loads the code of a role, which is then not loaded when it starts. */
export async function loadRole(role: Role): Promise<void> {
  switch (role) {
    case "planner":
      await import("./planner/main.ts");
      break;
    case "builder":
      await import("./builder/main.ts");
      break;
    case "reviewer":
      await import("./reviewer/main.ts");
      break;
    case "tester":
      await import("./tester/main.ts");
      break;
  }
}

interface RoleParts<R extends Role, Work extends { readonly kind: string }> {
  readonly schema: z.ZodType<RecordOf[R]>;
  readonly main: (context: RoleContext<R>) => RoleMain<Work>;
  readonly decide: RoleRun<Work>["decide"];
}

async function run<R extends Role, Work extends { readonly kind: string }>(
  role: R,
  preparing: Preparing,
  { schema, main, decide }: RoleParts<R, Work>,
): Promise<RoleEnd> {
  const bare = await preparing;
  const start = guardedStart(role, bare);
  const own = contextOf(role, start);
  const path = roleLog(start.home, role);
  const interrupt = () => {
    start.stop.abort();
  };
  return runRole<Work>({
    context: { ...own, journal: createJournal(start.host, path, CommonRecord) },
    main: main({ ...own, journal: createJournal(start.host, path, schema) }),
    decide,
    interrupt,
    // The guarded files restore what others changed as soon as they are looked at, which the fence may forbid.
    fence: new WriteFence(bare.host.files, bare.home),
  });
}
