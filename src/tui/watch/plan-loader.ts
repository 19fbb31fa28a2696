import { readPlanView, shownPlanDigest } from "../../actions/plan/read-plan-view.ts";
import { planPage } from "../../views/screen/plan-page.ts";
import { ticksAhead } from "../../views/status/milestone-status.ts";
import type { PageLoader } from "./page-loader.ts";

/** The page of the plan. */
export const planLoader: PageLoader = {
  basis(_, { state }) {
    const ticks = [...ticksAhead(state)].map(([name, tasks]) => `${name} ${String(tasks.size)}`);
    return JSON.stringify([shownPlanDigest(state), state.builder.milestones.length, ticks]);
  },
  load: async (_, { world, found, state }) => planPage(await readPlanView(world, found, state)),
};
