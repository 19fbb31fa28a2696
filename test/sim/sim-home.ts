import { homeAt } from "../../src/fs-protocol/home/home.ts";

/** The home of the simulated session, and the folder of its clones. */
export const HOME = homeAt("/repository/.wisp/sessions/demo");
export const STATE = "/state/demo";
