import type { Environment } from "../base/ports/processes.ts";

/** The variables of this process. */
export function ownEnvironment(): Environment {
  const set = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(set);
}
