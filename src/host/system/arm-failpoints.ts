import { appendFileSync } from "node:fs";
import { onFailpoint } from "../../base/ports/failpoint.ts";

/** `<name>:<n>`: this process kills itself when it passes that point for the n-th time. */
const KILL_VARIABLE = "WISP_FAILPOINT";
/** A file to which the name of each point that this process passes is appended. */
const LOG_VARIABLE = "WISP_FAILPOINT_LOG";

/**
 * Arms the failpoints that the environment requests, and removes the variables from it: they are meant for this
 * process only, not for the engines and roles that it starts. The kill is an ordinary SIGKILL: no handler runs,
 * nothing is flushed or released.
 */
export function armFailpoints(environment: Record<string, string | undefined>): void {
  const wanted = environment[KILL_VARIABLE];
  const logPath = environment[LOG_VARIABLE];
  if (wanted === undefined && logPath === undefined) return;
  Reflect.deleteProperty(environment, KILL_VARIABLE);
  Reflect.deleteProperty(environment, LOG_VARIABLE);
  const [wantedName, count] = (wanted ?? "").split(":");
  let remaining = Number(count);
  onFailpoint((name) => {
    if (logPath !== undefined) appendFileSync(logPath, `${name}\n`);
    if (name !== wantedName) return;
    remaining -= 1;
    if (remaining === 0) process.kill(process.pid, "SIGKILL");
  });
}
