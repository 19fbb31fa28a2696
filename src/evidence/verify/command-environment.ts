import type { Role } from "../../base/role.ts";
import { inheritedBy } from "../../engines/run/cli-environment.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";

/** A sandboxed command has a folder of its own for temporary files. */
const TEMPORARY_FOLDER = ["TMPDIR", "TMP", "TEMP"];

export interface CommandVariables {
  /** Variables that the settings name for commands; a name that ends in `*` matches any rest. */
  readonly named: readonly string[];
  /** Whether the command runs in a sandbox. */
  readonly isConfined: boolean;
}

/**
 * The environment of commands that wisp itself runs: setup, verify, old tests and the commands of bugs. A model
 * may have written what they do, so only allowed variables pass: those that engines may inherit, and those that
 * the settings name.
 */
export function commandEnvironment(
  environment: Readonly<Record<string, string>>,
  { named, isConfined }: CommandVariables,
): Readonly<Record<string, string>> {
  const temporary = isConfined ? [] : TEMPORARY_FOLDER;
  return inheritedBy([...temporary, ...named], environment);
}

/**
 * The variables that a session names for its project's commands. A session from before that setting existed
 * uses the role's variables, which setup and verify were given then.
 */
export function namedForCommands(
  { commands, engines }: Pick<SessionJson, "commands" | "engines">,
  role: Role,
): readonly string[] {
  return commands?.env ?? engines[role].env ?? [];
}
