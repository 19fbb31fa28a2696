import type { Role } from "../../base/role.ts";
import { inheritedBy } from "../../engines/run/cli-environment.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";

/** Where a sandbox is around a command, it has a folder for temporary files of its own. */
const TEMPORARY_FOLDER = ["TMPDIR", "TMP", "TEMP"];

export interface CommandVariables {
  /** Variables that the settings name for commands; a `*` at the end of a name is any rest. */
  readonly named: readonly string[];
  /** Whether a sandbox is around the command. */
  readonly isConfined: boolean;
}

/**
 * The environment of what wisp itself runs: setup, verify, old tests and the commands of bugs. A model may
 * have written what they do, so it is an allow-list: what engines may inherit, too, and what is named.
 */
export function commandEnvironment(
  environment: Readonly<Record<string, string>>,
  { named, isConfined }: CommandVariables,
): Readonly<Record<string, string>> {
  const temporary = isConfined ? [] : TEMPORARY_FOLDER;
  return inheritedBy([...temporary, ...named], environment);
}

/**
 * The variables that a session names for its project's commands. One that was made before there was a list
 * for commands goes on with that of the role, which setup and verify were given then.
 */
export function namedForCommands(
  { commands, engines }: Pick<SessionJson, "commands" | "engines">,
  role: Role,
): readonly string[] {
  return commands?.env ?? engines[role].env ?? [];
}
