import { isAbsolute, join, resolve } from "node:path";
import type { FileFailure } from "../base/files.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { ROLES, type Role } from "../base/role.ts";
import { decodeCassette } from "../engines/replay/cassette.ts";
import { codingCli, CODING_CLIS } from "../engines/coding-clis.ts";
import type { EngineSetting } from "../fs-protocol/session-json.ts";
import { findExecutable } from "../host/find-executable.ts";
import type { Config } from "../settings/config-schema.ts";
import type { Reviewer } from "../settings/reviewer.ts";
import {
  chooseEngines,
  fallbackEngines,
  namedEngine,
  type EngineChoice,
  type EngineFailure,
  type EngineOffer,
  type KnownEngine,
} from "../settings/engine-choice.ts";
import { wispArgv, type Cli } from "./cli.ts";
import type { CassetteTrouble, EnginesFailure } from "./engine-failures.ts";

/** What the engine `replay` plays. */
export function cassettePath(repository: string): string {
  return join(repository, ".wisp", "cassette.yaml");
}

/** Engines that have an adapter of their own, in the order in which they are preferred. */
const KNOWN_ENGINES: readonly KnownEngine[] = [
  ...CODING_CLIS.map(({ name, executable }) => ({ name, executable })),
  { name: "replay", executable: undefined },
];

/** The engine of each role as its session freezes it: chosen, there, and with its whole command line. */
export function sessionEngines(
  cli: Pick<Cli, "host" | "env" | "nodePath" | "entry">,
  repository: string,
  config: Config,
  reviewers: readonly Reviewer[],
): Result<Readonly<Record<Role, EngineSetting>>, EnginesFailure> {
  const place = { cwd: repository, env: cli.env };
  const offer: EngineOffer = {
    known: KNOWN_ENGINES,
    hasExecutable: (executable) => findExecutable(executable, place) !== undefined,
  };
  const chosen = chooseEngines(config, offer);
  if (!chosen.ok) return chosen;
  const playsCassette = ROLES.some((role) => isReplay(chosen.value[role]));
  const cassette = playsCassette ? checkCassette(cli, cassettePath(repository)) : ok(undefined);
  if (!cassette.ok) return cassette;
  const settingOf = (role: Role): Result<EngineSetting, EngineFailure> => {
    const choice = chosen.value[role];
    const fallbacks = fallbackEngines(config, choice, offer);
    if (!fallbacks.ok) return fallbacks;
    const others = fallbacks.value.map((other) => frozen(cli, repository, other));
    const setting = settingWith(config.roles[role], frozen(cli, repository, choice), others);
    if (role !== "reviewer") return ok(setting);
    const named = namedBy(reviewers, setting, offer);
    if (!named.ok) return named;
    const lines = named.value.map((other) => frozen(cli, repository, other));
    return ok(lines.length === 0 ? setting : { ...setting, named: lines });
  };
  return eachRole(settingOf);
}

/** The engines of reviewers that have one of their own, each once. */
function namedBy(
  reviewers: readonly Reviewer[],
  { name: own }: CommandLine,
  offer: EngineOffer,
): Result<readonly EngineChoice[], EngineFailure> {
  const choices = new Map<string, EngineChoice>();
  for (const { name, engine } of reviewers) {
    if (engine === undefined || engine === own || choices.has(engine)) continue;
    const choice = namedEngine(engine, `engine of .wisp/reviewers/${name}.md`, offer);
    if (!choice.ok) return choice;
    choices.set(engine, choice.value);
  }
  return ok([...choices.values()]);
}

type CommandLine = Pick<EngineSetting, "name" | "argv">;

function settingWith(
  { model, env, args, timeout, idleTimeout, startTimeout, schema }: Config["roles"][Role],
  { name, argv }: CommandLine,
  fallbacks: CommandLine[],
): EngineSetting {
  return {
    name,
    argv: [...argv, ...args],
    turnTimeoutMs: timeout,
    idleTimeoutMs: idleTimeout,
    ...(startTimeout === undefined ? {} : { startTimeoutMs: startTimeout }),
    ...(model === undefined ? {} : { model }),
    ...(schema ? {} : { schema }),
    ...(env.length === 0 ? {} : { env }),
    ...(fallbacks.length === 0 ? {} : { fallbacks }),
  };
}

function eachRole<T, F>(of: (role: Role) => Result<T, F>): Result<Readonly<Record<Role, T>>, F> {
  const [planner, builder] = [of("planner"), of("builder")];
  const [reviewer, tester] = [of("reviewer"), of("tester")];
  if (!planner.ok) return planner;
  if (!builder.ok) return builder;
  if (!reviewer.ok) return reviewer;
  if (!tester.ok) return tester;
  return ok({
    planner: planner.value,
    builder: builder.value,
    reviewer: reviewer.value,
    tester: tester.value,
  });
}

function isReplay(choice: EngineChoice): boolean {
  return choice.kind === "known" && codingCli(choice.name) === undefined;
}

function frozen(
  cli: Pick<Cli, "env" | "nodePath" | "entry">,
  repository: string,
  choice: EngineChoice,
): CommandLine {
  if (choice.kind === "known") {
    const { executable } = codingCli(choice.name) ?? {};
    if (executable === undefined) {
      return { name: choice.name, argv: wispArgv(cli, "replay-turn", cassettePath(repository)) };
    }
    // As it is found now: a role may be started with another search path.
    const path = findExecutable(executable, { cwd: repository, env: cli.env });
    return { name: choice.name, argv: [path ?? executable] };
  }
  const [executable, ...rest] = choice.argv;
  // A turn runs in a clone: a path that was meant from the repository would lead elsewhere there.
  const isPath = executable.includes("/") && !isAbsolute(executable);
  const argv = [isPath ? resolve(repository, executable) : executable, ...rest];
  return { name: choice.kind, argv };
}

function checkCassette(
  { host }: Pick<Cli, "host">,
  path: string,
): Result<void, CassetteTrouble | FileFailure> {
  const read = host.files.read(path);
  if (!read.ok) return read;
  if (read.value === undefined) return fail({ kind: "cassette-missing", path });
  const decoded = decodeCassette(Buffer.from(read.value).toString("utf8"));
  return decoded.ok ? ok(undefined) : fail({ ...decoded.failure, path });
}
