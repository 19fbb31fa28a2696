import { placeSecrets } from "../host/system/place-secrets.ts";
import type { Environment } from "../base/ports/processes.ts";

/** The variables of this process, and at the place of a session those that were sent there. */
export function ownEnvironment(): Environment {
  const set = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const own = Object.fromEntries(set);
  return { ...placeSecrets(own), ...own };
}
