// Names that a person chooses between. They stand alone so that a command line can offer them without what is behind them.

/** The four roles, in the order in which people read them. */
export const ROLES = ["planner", "builder", "reviewer", "tester"] as const;

/** The logs of records of a session, in the order in which people name them. */
export const LOG_NAMES = [...ROLES, "supervisor", "human"] as const;
export type LogName = (typeof LOG_NAMES)[number];

/** How much a finding weighs, the heaviest first. */
export const LEVELS = ["blocking", "warning", "suggestion"] as const;

/** By what the turns of a session are counted in its cost. */
export const COST_BY = ["role", "milestone", "engine", "model"] as const;
export type CostBy = (typeof COST_BY)[number];

/** The settings that `wisp init` can write. */
export const INIT_TEMPLATES = ["default", "minimal", "strict"] as const;
export type InitTemplate = (typeof INIT_TEMPLATES)[number];
