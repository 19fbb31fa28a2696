import { isAbsolute, join } from "node:path";
import type { Role } from "../../base/role.ts";
import { inheritedBy } from "../../engines/run/cli-environment.ts";
import type { InPlaceOfCheckout } from "../../engines/run/environment-in.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { RoleContext } from "../../work/role-context.ts";

/** A sandboxed command has a folder of its own for temporary files. */
const TEMPORARY_FOLDER = ["TMPDIR", "TMP", "TEMP"];

export interface CommandVariables {
  /** Variables that the settings name for commands; a name that ends in `*` matches any rest. */
  readonly named: readonly string[];
  /** Whether the command runs in a sandbox. */
  readonly isConfined: boolean;
  /** Whether it gets `CI=true`, unless the person's own `CI` has a value. */
  readonly ci?: boolean | undefined;
}

/**
 * The environment of commands that wisp itself runs: setup, verify, old tests and the commands of bugs. A model
 * may have written what they do, so only allowed variables pass: those that engines may inherit, and those that
 * the settings name.
 */
export function commandEnvironment(
  environment: Readonly<Record<string, string>>,
  { named, isConfined, ci = false }: CommandVariables,
): Readonly<Record<string, string>> {
  const temporary = isConfined ? [] : TEMPORARY_FOLDER;
  const inherited = inheritedBy([...temporary, ...named], environment);
  return ci ? { CI: "true", ...inherited } : inherited;
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

/** The folder in which commands run, in place of the person's checkout. */
export function placeOfCommands(
  {
    session: { repository, state, sandbox },
    ports: { files, directories },
    env: { HOME: home },
  }: Pick<RoleContext, "session" | "env"> & {
    readonly ports: Pick<RoleContext["ports"], "files" | "directories">;
  },
  folder: string,
): InPlaceOfCheckout {
  const shown = [...(sandbox?.allow ?? []), ...(sandbox?.write ?? [])];
  const allowed = shown.map((path) => {
    if (isAbsolute(path)) return path;
    return path.startsWith("~") ? join(home ?? "/", path.slice(1)) : join(repository, path);
  });
  return { files, directories, checkout: repository, folder, state: [state], allowed, home };
}
