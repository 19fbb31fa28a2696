// Names that a person chooses from. They have their own file so that the command line can offer them without
// loading the code behind them.

/** The severities of a finding, most severe first. */
export const LEVELS = ["blocking", "warning", "suggestion"] as const;

/** How the cost of a session's turns can be grouped. */
export const COST_BY = ["role", "milestone", "engine", "model", "attempt"] as const;
export type CostBy = (typeof COST_BY)[number];

/** The settings files that `wisp init` can write. */
export const INIT_TEMPLATES = ["default", "minimal", "strict"] as const;
export type InitTemplate = (typeof INIT_TEMPLATES)[number];

/** The shells that `wisp completion` has a script for. */
export const COMPLETION_SHELLS = ["bash", "zsh", "fish"] as const;
export type CompletionShell = (typeof COMPLETION_SHELLS)[number];

/** What `wisp why` can explain. */
export const WHY_KINDS = ["commit", "line", "finding", "milestone"] as const;
export type WhyKind = (typeof WHY_KINDS)[number];
