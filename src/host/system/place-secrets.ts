import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../../base/ports/processes.ts";
import { PLACE_VARIABLE } from "../../base/ports/executor.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { attempt } from "./errno.ts";

/** The private file below the root of a place with variables of the machine from which the session was started. */
export const SECRETS_FILE = "secrets.json";

/** What a process at a place is given besides its own environment; empty anywhere else. */
export function placeSecrets(environment: Environment): Environment {
  const root = environment[PLACE_VARIABLE] ?? "";
  if (!isAbsolute(root)) return {};
  const read = attempt(() => readFileSync(join(root, SECRETS_FILE), "utf8"));
  const given: unknown = read.ok ? jsonOf(read.value) : undefined;
  if (typeof given !== "object" || given === null) return {};
  const texts = Object.entries(given).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(texts);
}
