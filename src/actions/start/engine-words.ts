import { CannotGoOn } from "../../base/fatal.ts";
import { perRole, ROLES, type PerRole, type Role } from "../../base/role.ts";
import { shown } from "../../base/words/shown.ts";
import { buildAttemptsMax } from "../../settings/schema/attempts-setting.ts";
import type { Config } from "../../settings/schema/config-schema.ts";
import { Usage } from "../../workspace/usage.ts";

/** `--engine` and `--model` as given: each is a name, for all roles, or `role=name`. */
export interface EngineWords {
  readonly engine?: readonly string[] | undefined;
  readonly model?: readonly string[] | undefined;
}

/** Parsed; undefined where the command line says nothing. */
interface Wanted {
  readonly engine: string | undefined;
  readonly model: string | undefined;
}

/** `--engine` and `--model` as arguments again, for another wisp. */
export function engineArguments({ engine = [], model = [] }: EngineWords): readonly string[] {
  return [
    ...engine.flatMap((word) => ["--engine", word]),
    ...model.flatMap((word) => ["--model", word]),
  ];
}

/** Refuses words that name no role, or nothing at all. */
export function checkEngineWords(words: EngineWords): void {
  wantedIn(words);
}

/**
 * The settings with the engines and models of the command line. A model, arguments and a list of build attempts in the
 * settings are meant for the engine that the settings choose: where the command line names another one, they are left out.
 *
 * @param usual the name of the engine that the settings choose for a role; undefined: none that is installed
 */
export function withEngineWords(
  config: Config,
  words: EngineWords,
  usual: (role: Role) => string | undefined,
): Config {
  const wanted = wantedIn(words);
  const isOther = perRole((role) => {
    const { engine } = wanted[role];
    return engine !== undefined && engine !== usual(role);
  });
  const roles = perRole((role) => {
    const { engine, model } = wanted[role];
    const { engine: own, model: ownModel, args, ...rest } = config.roles[role];
    const [kept, keptArgs] = isOther[role] ? [undefined, []] : [ownModel, args];
    return { ...rest, args: keptArgs, engine: engine ?? own, model: model ?? kept };
  });
  const isOwn = !isOther.builder && wanted.builder.model === undefined;
  const { attempts } = config;
  if (isOwn) return { ...config, roles };
  return { ...config, roles, attempts: { ...attempts, build: buildAttemptsMax(attempts) } };
}

function wantedIn({ engine = [], model = [] }: EngineWords): PerRole<Wanted> {
  const engines = named("--engine", engine);
  const models = named("--model", model);
  return perRole((role) => ({
    engine: engines.get(role) ?? engines.get(undefined),
    model: models.get(role) ?? models.get(undefined),
  }));
}

/** The last name for each role; under undefined, that for all others. */
function named(flag: string, words: readonly string[]): ReadonlyMap<Role | undefined, string> {
  return new Map(words.map((word) => namedIn(flag, word)));
}

const ROLE_AND_NAME = /^(?<role>[a-z]+)=(?<name>.*)$/su;

function namedIn(flag: string, word: string): readonly [Role | undefined, string] {
  const { role: before, name = word } = ROLE_AND_NAME.exec(word)?.groups ?? {};
  const role = ROLES.find((one) => one === before);
  if (before !== undefined && role === undefined) {
    refuse(flag, `there is no role ${shown(before)}; the roles are ${ROLES.join(", ")}`);
  }
  if (!/^[^\0]{1,1000}$/u.test(name))
    refuse(flag, "it takes a name, or a role and a name as in reviewer=codex");
  return [role, name];
}

function refuse(flag: string, problem: string): never {
  throw new CannotGoOn(Usage({ problem: `${flag}: ${problem}` }));
}
