import { HAS_PROC } from "../processes/process-identity.ts";
import { RunEnvironments } from "../processes/run-environments.ts";
import { RUN_ID_VARIABLE } from "../../base/ports/processes.ts";

/** The processes that carry one of these run ids, without ending them. Empty if there is no /proc. */
export function carriersOf(runIds: readonly string[]): readonly number[] {
  if (!HAS_PROC) return [];
  const environments = new RunEnvironments();
  return runIds.flatMap((runId) => environments.scan(`${RUN_ID_VARIABLE}=${runId}`).carriers);
}
