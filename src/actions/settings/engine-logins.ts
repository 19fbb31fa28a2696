import { LOGIN_ANSWER_MS_MAX } from "../../base/limits.ts";
import { ROLES, type PerRole } from "../../base/role.ts";
import type { CodingCli } from "../../engines/coding-cli.ts";
import { codingCli } from "../../engines/coding-clis.ts";
import type { LoginState } from "../../engines/login-state.ts";
import { inheritedBy } from "../../engines/run/cli-environment.ts";
import type { EngineSetting } from "../../fs-protocol/home/session-json.ts";
import { askProgram } from "../../host/processes/ask-program.ts";
import type { World } from "../../workspace/world.ts";

interface AskedEngine {
  readonly cli: CodingCli;
  readonly argv: EngineSetting["argv"];
  /** Variables that the settings let it see besides its own. */
  readonly variables: readonly string[];
}

/**
 * Whether each coding CLI that a session may use is logged in, by its name: as it says itself, without a turn. A key in
 * a variable that it may see counts as a login, valid or not. Engines that are no coding CLI of wisp's are left out.
 */
export async function engineLogins(
  world: Pick<World, "env" | "host">,
  engines: PerRole<EngineSetting>,
): Promise<Readonly<Record<string, LoginState>>> {
  const asked = new Map<string, AskedEngine>();
  const listed = ROLES.flatMap((role) => {
    const { fallbacks = [], named = [], env: variables = [], ...own } = engines[role];
    return [own, ...fallbacks, ...named].map(({ name, argv }) => ({ name, argv, variables }));
  });
  for (const { name, ...engine } of listed) {
    const cli = codingCli(name);
    if (cli !== undefined && !asked.has(name)) asked.set(name, { cli, ...engine });
  }
  const states = [...asked.values()].map(
    async (engine) => [engine.cli.name, await loginOf(world, engine)] as const,
  );
  return Object.fromEntries(await Promise.all(states));
}

async function loginOf(
  { env, host: { files } }: Pick<World, "env" | "host">,
  { cli, argv: [executable = "", ...turnArgs], variables }: AskedEngine,
): Promise<LoginState> {
  const { keys, loginQuestion, needs } = cli;
  const rules = [...cli.variables, ...variables];
  const visible = inheritedBy(rules, env);
  if (namesOf(visible, keys).length > 0) return "yes";
  if (loginQuestion === undefined || loginQuestion.usesOther?.(files, visible, turnArgs) === true) {
    return "unknown";
  }
  const answer = await askProgram([executable, ...loginQuestion.args], {
    env: visible,
    // A folder of others' could have settings that name a program to run.
    cwd: "/",
    timeoutMs: LOGIN_ANSWER_MS_MAX,
  });
  const state = answer.kind === "exited" ? loginQuestion.read(answer) : "unknown";
  const places = [...needs.folderVariables, ...needs.fileVariables];
  const others = namesOf(visible, rules).filter((name) => !places.includes(name));
  // It may take one of them for a key, by settings that only it knows.
  return state === "no" && others.length > 0 ? "unknown" : state;
}

/** The names of the variables that match one of the rules and are not empty. */
function namesOf(env: Readonly<Record<string, string>>, rules: readonly string[]): string[] {
  return Object.keys(env).filter(
    (name) =>
      env[name] !== "" &&
      rules.some((rule) =>
        rule.endsWith("*") ? name.startsWith(rule.slice(0, -1)) : rule === name,
      ),
  );
}
