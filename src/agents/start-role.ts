import type { Role } from "../base/role.ts";
import type { RoleStart } from "./work/role-start.ts";
import type { RoleEnd } from "./work/run-role.ts";

/** Runs one role of a session in this process; only the code of that role is loaded. */
export async function startRole(role: Role, start: RoleStart): Promise<RoleEnd> {
  switch (role) {
    case "planner": {
      const { startPlanner } = await import("./planner/start.ts");
      return startPlanner(start);
    }
    case "builder": {
      const { startBuilder } = await import("./builder/start.ts");
      return startBuilder(start);
    }
    case "reviewer": {
      const { startReviewer } = await import("./reviewer/start.ts");
      return startReviewer(start);
    }
    case "tester": {
      const { startTester } = await import("./tester/start.ts");
      return startTester(start);
    }
  }
}
