import type { Exit, PlannerStep, Wait } from "../../session/steps/step.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { RoleMain } from "../../work/role.ts";
import { recoverUnit } from "../../work/unit.ts";

type Work = Exclude<PlannerStep, Wait | Exit>;

/** The planner: answers each boundary and each version of the request, with a staged plan or with `keep`. */
export function plannerMain(context: RoleContext<"planner">): RoleMain<Work> {
  return {
    start: () => Promise.resolve(),
    async perform(work, state) {
      if (work.kind === "recover") {
        await recoverUnit(context, work.unit);
        return;
      }
      // Imported when first needed, because a Markdown parser is a lot to load for a process that may only wait.
      const { plan } = await import("./plan.ts");
      return plan(context, state, work);
    },
  };
}
