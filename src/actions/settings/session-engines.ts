import { CannotGoOn, need } from "../../base/fatal.ts";
import { isAbsolute, join, resolve } from "node:path";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import { perRole, ROLES, type PerRole, type Role } from "../../base/role.ts";
import { decodeCassette, type CassetteFailure } from "../../engines/replay/cassette.ts";
import { codingCli, CODING_CLIS } from "../../engines/coding-clis.ts";
import type { EngineSetting } from "../../fs-protocol/home/session-json.ts";
import { findExecutable } from "../../host/processes/find-executable.ts";
import { listedAttempts, type BuildAttempt } from "../../settings/schema/attempts-setting.ts";
import type { Config } from "../../settings/schema/config-schema.ts";
import type { Reviewer } from "../../settings/reviewers/reviewer.ts";
import {
  chooseEngine,
  chooseEngines,
  fallbackEngines,
  HOW_TO_NAME_AN_ENGINE,
  namedEngine,
  type EngineChoice,
  type EngineOffer,
  type KnownEngine,
} from "../../settings/config/engine-choice.ts";
import { wispArgv, type World } from "../../workspace/world.ts";

interface CassettePlace {
  readonly path: string;
}

/** The engine `replay` has no recording to play. */
export const CassetteMissing = refusal(
  "cassette-missing",
  EXIT.usage,
  ({ path }: CassettePlace) => [
    `The engine replay plays back a recording, and there is none at ${shown(path)}.`,
    "It is for tests and the demo. For real work, name the coding CLI that you have:",
    HOW_TO_NAME_AN_ENGINE,
  ],
);

/** The engine `replay` cannot play this file. */
export const BadCassette = refusal(
  "cassette",
  EXIT.usage,
  ({ path, line, key, problem }: CassettePlace & Omit<CassetteFailure, "kind">) => [
    `${shown(path)}:${String(line)}: ${key === "" ? "" : `${shown(key)}: `}${shown(problem)}`,
    "The engine replay cannot play this recording.",
  ],
);

/** The recording that the engine `replay` plays. */
export function cassettePath(repository: string): string {
  return join(repository, ".wisp", "cassette.yaml");
}

/** Engines with an adapter of their own, in order of preference. */
const KNOWN_ENGINES: readonly KnownEngine[] = [
  ...CODING_CLIS.map(({ name, executable, install }) => ({ name, executable, install })),
  { name: "replay", executable: undefined },
];

/**
 * The engine of each role as its session freezes it: chosen, installed, and with its whole command
 * line.
 */
export function sessionEngines(
  world: Pick<World, "host" | "env" | "nodePath" | "entry">,
  repository: string,
  config: Config,
  reviewers: readonly Reviewer[],
): PerRole<EngineSetting> {
  const isInImage = isImageAsked(config);
  const from = { ...world, isInImage };
  const offer = offerOf(world, repository, config);
  const chosen = need(chooseEngines(config, offer));
  const playsCassette = ROLES.some((role) => isReplay(chosen[role]));
  if (playsCassette) checkCassette(world, cassettePath(repository));
  const settingOf = (role: Role): EngineSetting => {
    const choice = chosen[role];
    const fallbacks = need(fallbackEngines(config, choice, offer));
    const others = fallbacks.map((other) => frozen(from, repository, other));
    const setting = settingWith(config.roles[role], frozen(from, repository, choice), others);
    const attempts = role === "builder" ? listedAttempts(config.attempts) : [];
    const wanted = [
      ...(role === "reviewer" ? namedByReviewers(reviewers) : []),
      ...namedByAttempts(attempts),
    ];
    const lines = chosenByName(wanted, setting, offer).map((other) =>
      frozen(from, repository, other),
    );
    return {
      ...setting,
      ...(lines.length === 0 ? {} : { named: lines }),
      ...(attempts.length === 0 ? {} : { attempts: attempts.map((attempt) => ({ ...attempt })) }),
    };
  };
  return perRole(settingOf);
}

/** The name of the engine that the settings choose for a role; undefined if none can be chosen. */
export function usualEngine(
  world: Pick<World, "env">,
  repository: string,
  config: Config,
  role: Role,
): string | undefined {
  const choice = chooseEngine(config, role, offerOf(world, repository, config));
  return choice.ok && choice.value.kind === "known" ? choice.value.name : undefined;
}

function offerOf({ env }: Pick<World, "env">, repository: string, config: Config): EngineOffer {
  const isInImage = isImageAsked(config);
  const place = { cwd: repository, env };
  return {
    known: KNOWN_ENGINES,
    hasExecutable: (executable) => isInImage || findExecutable(executable, place) !== undefined,
  };
}

/** Whether the image is asked for the programs, when the sandbox is chosen. */
function isImageAsked({ sandbox }: Pick<Config, "sandbox">): boolean {
  return sandbox.kind === "container";
}

/** The programs that engines run, each once; those that wisp starts itself, as `node …`, are among them. */
export function enginePrograms(engines: PerRole<EngineSetting>): readonly string[] {
  const all = ROLES.flatMap((role) => {
    const { fallbacks = [], named = [], ...own } = engines[role];
    return [own, ...fallbacks, ...named].flatMap(({ argv }) => argv.slice(0, 1));
  });
  return [...new Set(all)];
}

/** An engine that single turns ask for by its name. */
interface WantedEngine {
  readonly engine: string | undefined;
  /** Where it is named, for a person. */
  readonly place: string;
}

function namedByReviewers(reviewers: readonly Reviewer[]): readonly WantedEngine[] {
  return reviewers.map(({ name, engine }) => ({
    engine,
    place: `engine of .wisp/reviewers/${name}.md`,
  }));
}

function namedByAttempts(attempts: readonly BuildAttempt[]): readonly WantedEngine[] {
  return attempts.map(({ engine }, at) => ({
    engine,
    place: `attempts.build[${String(at)}].engine`,
  }));
}

/** The engines that turns ask for and the role does not have already, each once. */
function chosenByName(
  wanted: readonly WantedEngine[],
  { name: own, fallbacks = [] }: EngineSetting,
  offer: EngineOffer,
): readonly EngineChoice[] {
  const had = new Set([own, ...fallbacks.map(({ name }) => name)]);
  const choices = new Map<string, EngineChoice>();
  for (const { engine, place } of wanted) {
    if (engine === undefined || had.has(engine) || choices.has(engine)) continue;
    choices.set(engine, need(namedEngine(engine, place, offer)));
  }
  return [...choices.values()];
}

type CommandLine = Pick<EngineSetting, "name" | "argv" | "mode">;

function settingWith(
  { model, env, args, timeout, idleTimeout, startTimeout, schema }: Config["roles"][Role],
  { name, argv, mode }: CommandLine,
  fallbacks: CommandLine[],
): EngineSetting {
  return {
    name,
    argv: [...argv, ...args],
    ...(mode === undefined ? {} : { mode }),
    turnTimeoutMs: timeout,
    idleTimeoutMs: idleTimeout,
    ...(startTimeout === undefined ? {} : { startTimeoutMs: startTimeout }),
    ...(model === undefined ? {} : { model }),
    ...(schema ? {} : { schema }),
    ...(env.length === 0 ? {} : { env }),
    ...(fallbacks.length === 0 ? {} : { fallbacks }),
  };
}

function isReplay(choice: EngineChoice): boolean {
  return choice.kind === "known" && codingCli(choice.name) === undefined;
}

function frozen(
  world: Pick<World, "env" | "nodePath" | "entry"> & { readonly isInImage: boolean },
  repository: string,
  choice: EngineChoice,
): CommandLine {
  if (choice.kind === "known") {
    const { executable } = codingCli(choice.name) ?? {};
    if (executable === undefined) {
      return { name: choice.name, argv: wispArgv(world, "replay-turn", cassettePath(repository)) };
    }
    if (world.isInImage) return { name: choice.name, argv: [executable] };
    // The path as found now: a role may be started with another PATH.
    const path = findExecutable(executable, { cwd: repository, env: world.env });
    return { name: choice.name, argv: [path ?? executable] };
  }
  const [executable, ...rest] = choice.argv;
  // A turn runs in a clone: there, a path relative to the repository would lead elsewhere.
  const isPath = executable.includes("/") && !isAbsolute(executable);
  const argv = [isPath ? resolve(repository, executable) : executable, ...rest];
  const mode = choice.kind === "acp" ? choice.mode : undefined;
  return { name: choice.kind, argv, ...(mode === undefined ? {} : { mode }) };
}

function checkCassette({ host }: Pick<World, "host">, path: string): void {
  const read = need(host.files.read(path));
  if (read === undefined) throw new CannotGoOn(CassetteMissing({ path }));
  const decoded = decodeCassette(Buffer.from(read).toString("utf8"));
  if (decoded.ok) return;
  const { kind: _, ...broken } = decoded.failure;
  throw new CannotGoOn(BadCassette({ ...broken, path }));
}
