import { appendFileSync } from "node:fs";
import { onFailpoint } from "../../base/ports/failpoint.ts";

/** `<name>:<n>`: at the n-th pass of that point this process kills itself. */
const KILL_VARIABLE = "WISP_FAILPOINT";
/** A file that takes a line with the name of each point that this process passes. */
const LOG_VARIABLE = "WISP_FAILPOINT_LOG";

/**
 * Arms the failpoints that the environment asks for, and takes the variables out of it: they are for
 * this one process, and neither for the engines that it starts nor for a role that it starts again.
 * A kill is a SIGKILL like anybody's: no handler runs, nothing is flushed or released.
 */
export function armFailpoints(environment: Record<string, string | undefined>): void {
  const wanted = environment[KILL_VARIABLE];
  const logPath = environment[LOG_VARIABLE];
  if (wanted === undefined && logPath === undefined) return;
  Reflect.deleteProperty(environment, KILL_VARIABLE);
  Reflect.deleteProperty(environment, LOG_VARIABLE);
  const [wantedName, count] = (wanted ?? "").split(":");
  let left = Number(count);
  onFailpoint((name) => {
    if (logPath !== undefined) appendFileSync(logPath, `${name}\n`);
    if (name !== wantedName) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
  });
}
