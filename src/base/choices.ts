// Names that a person chooses between. They stand alone so that a command line can offer them without what is behind them.

/** How much a finding weighs, the heaviest first. */
export const LEVELS = ["blocking", "warning", "suggestion"] as const;

/** By what the turns of a session are counted in its cost. */
export const COST_BY = ["role", "milestone", "engine", "model"] as const;
export type CostBy = (typeof COST_BY)[number];

/** The settings that `wisp init` can write. */
export const INIT_TEMPLATES = ["default", "minimal", "strict"] as const;
export type InitTemplate = (typeof INIT_TEMPLATES)[number];
