import { parentPort, workerData } from "node:worker_threads";
import { exploreScenario, type ExploreOptions } from "./explore.ts";
import { SCENARIOS, type ScenarioName } from "./scenarios.ts";

/** A worker's task. */
export interface ExploreTask extends Omit<ExploreOptions, "onRecord"> {
  readonly scenario: ScenarioName;
}

/** The entry of a bundle: explores its task, answers with the outcome, and ends. */
if (isTask(workerData)) {
  const { scenario, ...options } = workerData;
  parentPort?.postMessage(exploreScenario(scenario, options));
}

function isTask(data: unknown): data is ExploreTask {
  return (
    typeof data === "object" &&
    data !== null &&
    "scenario" in data &&
    typeof data.scenario === "string" &&
    data.scenario in SCENARIOS
  );
}
