import { Explorer, type Exploration } from "./explorer.ts";
import { SCENARIOS, type ScenarioName } from "./scenarios.ts";
import { World, type WorldOptions } from "./world.ts";

/** How a scenario is explored. */
export interface ExploreOptions extends WorldOptions {
  /** Where to stop; by default everything is explored. */
  readonly statesMax?: number | undefined;
  /** R18: see `StepContext`. */
  readonly isStrictAfterDone?: boolean | undefined;
  /** See `StepContext`. */
  readonly except?: string | undefined;
}

/** Explores one scenario with the shipped decisions and folds. */
export function exploreScenario(name: ScenarioName, options: ExploreOptions = {}): Exploration {
  const { statesMax = Infinity, isStrictAfterDone = false, except } = options;
  const world = new World(SCENARIOS[name], options);
  return new Explorer({ world, isStrictAfterDone, except }).explore(statesMax);
}
