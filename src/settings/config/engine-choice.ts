import { present } from "../../base/assert.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal, type Detail } from "../../base/failure.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { perRole, ROLES, type PerRole, type Role } from "../../base/role.ts";
import { shown } from "../../base/words/shown.ts";
import type { Argv } from "../schema/argv.ts";
import type { Config } from "../schema/config-schema.ts";
import type { EngineConfig } from "../schema/engine-setting.ts";
import { didYouMean } from "./did-you-mean.ts";

/** An engine that wisp has an adapter for. */
export interface KnownEngine {
  readonly name: string;
  /** What has to be installed; undefined for an embedded engine such as `replay`. */
  readonly executable: string | undefined;
  /** The command that installs it. */
  readonly install?: string | undefined;
}

/** The engines that the machine offers. */
export interface EngineOffer {
  /** In order of preference. */
  readonly known: readonly KnownEngine[];
  /** Whether an executable exists: looked up on PATH, or as a path if it contains a slash. */
  hasExecutable(executable: string): boolean;
}

export type EngineChoice =
  | { readonly kind: "known"; readonly name: string }
  | { readonly kind: "command"; readonly argv: Argv }
  | { readonly kind: "acp"; readonly argv: Argv; readonly mode?: string };

/** An example of configuring an engine. */
export const HOW_TO_NAME_AN_ENGINE: Detail = {
  detail: "engine: claude   # or { command: [./agent.sh] }, in .wisp/config.yaml",
};

interface NoneThere {
  readonly executables: readonly string[];
  /** The command that installs the first of them. */
  readonly install: string | undefined;
}

/** No engine is configured, and no known one is installed. */
export const NoEngine = refusal("no-engine", EXIT.usage, ({ executables, install }: NoneThere) => {
  const searched = executables.length === 0 ? "" : ` (looked for: ${executables.join(", ")})`;
  return [
    `No engine is configured, and none was found${searched}.`,
    "An engine is the coding CLI that does the work. Install one, such as Claude Code: it is found by " +
      "itself (wisp engines shows what is). Or name a script of your own. To see a run without one: " +
      "wisp demo",
    ...(install === undefined ? [] : [install]),
    HOW_TO_NAME_AN_ENGINE,
  ];
});

interface Unknown {
  /** The settings' key, such as `roles.tester.engine`. */
  readonly key: string;
  readonly name: string;
  readonly suggestion: string | undefined;
  readonly known: readonly string[];
}

/** The settings name an engine that does not exist. */
export const UnknownEngine = refusal(
  "unknown-engine",
  EXIT.usage,
  ({ key, name, suggestion, known }: Unknown) => {
    const hint = suggestion === undefined ? "" : ` Did you mean ${shown(suggestion)}?`;
    return [
      `There is no engine '${shown(name)}' (${key} in .wisp/config.yaml).${hint}`,
      `Known by name: ${known.join(", ")}. Any other is a command line:`,
      HOW_TO_NAME_AN_ENGINE,
    ];
  },
);

interface Missing {
  readonly key: string;
  readonly name: string;
  readonly executable: string;
  readonly install?: string | undefined;
}

/** The settings name an engine that is not installed. */
export const EngineMissing = refusal(
  "engine-missing",
  EXIT.usage,
  ({ key, executable, install }: Missing) => [
    `The engine's executable ${shown(executable)} was not found (${key} in ` +
      ".wisp/config.yaml).",
    executable.includes("/")
      ? "A path is relative to the top of the repository; the file must be executable."
      : "Install it, and make sure that it is on PATH.",
    ...(install === undefined ? [] : [install]),
  ],
);

export type EngineFailure =
  ReturnType<typeof NoEngine> | ReturnType<typeof UnknownEngine> | ReturnType<typeof EngineMissing>;

/** The setting that lets wisp choose. */
const AUTO = "auto";

type EngineSettings = Pick<Config, "engine" | "engines" | "roles">;

/**
 * Chooses the engine of every role: its own setting, or else the general one, or else the first of
 * `engines` that is installed, or else the first known engine that is (`auto`). An embedded engine
 * is only used if the settings name it: a replayed recording must not look like real work.
 */
export function chooseEngines(
  config: EngineSettings,
  offer: EngineOffer,
): Result<PerRole<EngineChoice>, EngineFailure> {
  const choices = new Map<Role, EngineChoice>();
  for (const role of ROLES) {
    const choice = chooseEngine(config, role, offer);
    if (!choice.ok) return choice;
    choices.set(role, choice.value);
  }
  return ok(perRole((role) => present(choices.get(role), "each role has an engine")));
}

/** Chooses the engine of one role. */
export function chooseEngine(
  config: EngineSettings,
  role: Role,
  offer: EngineOffer,
): Result<EngineChoice, EngineFailure> {
  const own = config.roles[role].engine;
  if (own !== undefined) return configured(own, `roles.${role}.engine`, offer);
  if (config.engine !== undefined) return configured(config.engine, "engine", offer);
  return config.engines === undefined ? installed(offer) : firstOf(config.engines, offer);
}

/** The engine that a reviewer's file names. */
export function namedEngine(
  name: string,
  file: string,
  offer: EngineOffer,
): Result<EngineChoice, EngineFailure> {
  return configured(name, file, offer);
}

/**
 * The engines that replace the chosen one when it is at its limit: the others of `engines` that are
 * installed, in order.
 */
export function fallbackEngines(
  { engines = [] }: Pick<Config, "engines">,
  chosen: EngineChoice,
  offer: EngineOffer,
): Result<readonly EngineChoice[], EngineFailure> {
  const fallbacks: EngineChoice[] = [];
  for (const [at, name] of engines.entries()) {
    const choice = configured(name, `engines[${String(at)}]`, offer);
    if (!choice.ok && choice.failure.kind !== "engine-missing") return choice;
    const isSame = chosen.kind === "known" && chosen.name === name;
    if (choice.ok && !isSame) fallbacks.push(choice.value);
  }
  return ok(fallbacks);
}

/** The first of a list that is installed; if none is, the failure is about the first. */
function firstOf(
  names: readonly string[],
  offer: EngineOffer,
): Result<EngineChoice, EngineFailure> {
  const choices = names.map((name, at) => configured(name, `engines[${String(at)}]`, offer));
  const wrong = choices.find((choice) => !choice.ok && choice.failure.kind !== "engine-missing");
  return wrong ?? choices.find((choice) => choice.ok) ?? choices[0] ?? installed(offer);
}

function configured(
  setting: EngineConfig,
  key: string,
  offer: EngineOffer,
): Result<EngineChoice, EngineFailure> {
  if (setting === AUTO) return installed(offer);
  if (typeof setting !== "string") {
    const { command, acp, mode } = setting;
    const argv = present(acp ?? command, "the schema asks for one of the two");
    const own: EngineChoice =
      acp === undefined
        ? { kind: "command", argv }
        : { kind: "acp", argv, ...(mode === undefined ? {} : { mode }) };
    const [executable] = own.argv;
    if (offer.hasExecutable(executable)) return ok(own);
    return fail(EngineMissing({ key, name: own.kind, executable }));
  }
  const engine = offer.known.find(({ name }) => name === setting);
  if (engine === undefined) return fail(unknown(setting, key, offer));
  const { name, executable } = engine;
  if (executable === undefined || offer.hasExecutable(executable))
    return ok({ kind: "known", name });
  return fail(EngineMissing({ key, name, executable, install: engine.install }));
}

function unknown(name: string, key: string, offer: EngineOffer): EngineFailure {
  const known = [...offer.known.map((engine) => engine.name), AUTO];
  // These engines are not written as names, but people try to.
  const spelled = new Map([
    ["command", "{ command: [./agent.sh] }"],
    ["acp", "{ acp: [gemini, --acp] }"],
  ]);
  const suggestion = spelled.get(name) ?? didYouMean(name, known);
  return UnknownEngine({ key, name, suggestion, known });
}

function installed(offer: EngineOffer): Result<EngineChoice, EngineFailure> {
  for (const { name, executable } of offer.known) {
    const isThere = executable !== undefined && offer.hasExecutable(executable);
    if (isThere) return ok({ kind: "known", name });
  }
  const executables = offer.known.flatMap(({ executable }) => executable ?? []);
  return fail(NoEngine({ executables, install: offer.known[0]?.install }));
}
