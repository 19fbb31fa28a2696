import { CannotGoOn, need, attempted } from "../../base/fatal.ts";
import { PROTOCOL_VERSION, type SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { Role } from "../../base/role.ts";
import { effectiveIdentity } from "../../git/command/user-config.ts";
import { findBaseRefs, type BaseRefs } from "../../git/refs/base-refs.ts";
import { findRepository, needObjects, type Repository } from "../../git/repository/repository.ts";
import type { Config } from "../../settings/schema/config-schema.ts";
import { readReviewers } from "../../settings/reviewers/read-reviewers.ts";
import { findExecutable } from "../../host/processes/find-executable.ts";
import { estimateCost } from "../../session/rules/estimate-cost.ts";
import { needsEstimate } from "../../settings/schema/plan-setting.ts";
import { mcpServers } from "../../settings/schema/mcp-setting.ts";
import { namedCommands, type NamedCommand } from "../../settings/config/named-commands.ts";
import { policyOf, type SessionWork } from "../../settings/config/session-policy.ts";
import { budgetOf } from "../../settings/schema/budget-setting.ts";
import { baseFiles } from "./base-files.ts";
import { draftedCommands } from "./drafted-commands.ts";
import { readBudgets, type Budgets, type BudgetWords } from "./budget-words.ts";
import { checkEngineWords, withEngineWords, type EngineWords } from "./engine-words.ts";
import { checkBranch } from "./choose-branch.ts";
import { chooseSandbox } from "../../workspace/choose-sandbox.ts";
import { Usage } from "../../workspace/usage.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { neighbourFolder, withNeighbours } from "./neighbours.ts";
import type { Policy } from "../../fs-protocol/home/policy.ts";
import { redBasePolicy } from "../../home/known-red.ts";
import { repositoryState } from "../../workspace/state-directory.ts";
import { readPrompts, type PromptFile } from "./prompt-files.ts";
import { readGivenRequest, readRequest, requestOf, type Request } from "./read-request.ts";
import { readSettings } from "../../workspace/settings/read-settings.ts";
import { settledFilters } from "../../workspace/settings/user-settings.ts";
import { reviewerDirectories } from "../settings/reviewer-directories.ts";
import { enginePrograms, sessionEngines, usualEngine } from "../settings/session-engines.ts";

/** The arguments of `wisp start`. */
export interface StartWords extends BudgetWords, EngineWords {
  /** A path, or `-` for standard input. */
  readonly request: string;
  /** The request itself, if it is not in a file; `request` only names it then. */
  readonly content?: Uint8Array | undefined;
  /** The request is prose for the planner, whatever its form. */
  readonly plan?: boolean | undefined;
  readonly branch: string | undefined;
  /** The fleet that the session is started in; its budget is a share of the fleet's. */
  readonly fleet?: string | undefined;
  /** Fix findings of every level, whatever the settings are. */
  readonly strict?: boolean | undefined;
  /** Only report reviewers' findings, whatever the settings are. */
  readonly noFix?: boolean | undefined;
  /** The work begins though verify is red at the base, whatever fails there. */
  readonly acceptRedBase?: boolean | undefined;
}

/** Everything that is known about a session before any of it is created. */
export interface SessionDraft {
  readonly repository: Repository;
  readonly request: Request;
  readonly branch: string | undefined;
  /** Templates and reviewers of the checkout, which the session freezes. */
  readonly prompts: readonly PromptFile[];
  /** Tags and branches of the repository, which the session freezes for its clones. */
  readonly refs: BaseRefs;
  /** The commands that the repository's settings name. */
  readonly commands: readonly NamedCommand[];
  /** `session.json` without what is chosen when it is created. */
  readonly settings: Omit<SessionJson, "id" | "branch" | "createdAt" | "state">;
}

/**
 * Checks everything that can be wrong with a new session; changes nothing.
 *
 * @param onRequest called as soon as the request is read, before the settings are
 */
export async function draftSession(
  world: World,
  words: StartWords,
  onRequest: (repository: Repository, request: Request) => void = () => undefined,
): Promise<SessionDraft> {
  const budgets = readBudgets(words);
  checkEngineWords(words);
  if (words.fleet === "") throw new CannotGoOn(Usage({ problem: "--fleet takes a name" }));
  const git = gitContext(world);
  const repository = need(await findRepository(git, world.cwd));
  need(await needObjects(git, repository));
  const given = await requestIn(world, words);
  onRequest(repository, given);
  const folder = neighbourFolder(given, repository.directory);
  if (words.branch !== undefined) await checkBranch(world, repository, words.branch);
  const { directory, head } = repository;
  const [named, refs, drafted] = await Promise.all([
    effectiveIdentity(git, directory),
    findBaseRefs(git, { directory, base: head }),
    attempted(() =>
      draftSettings(world, repository, {
        ...words,
        budgets,
        folder,
        work: given.plan?.form === "stories" ? "stories" : "plain",
      }),
    ),
  ]);
  const identity = need(named);
  const { commands, frozen, names } = need(drafted);
  const request = withNeighbours(given, { folder, names });
  const prompts = readPrompts(world, directory);
  return {
    repository,
    request,
    branch: words.branch,
    prompts,
    refs: need(refs),
    commands,
    settings: { ...frozen, identity },
  };
}

/** The request itself, or from standard input for `-`, or from a file. */
export function requestIn(
  { host, cwd }: World,
  { request, content, plan: isProse = false }: StartWords,
): Promise<Request> | Request {
  if (content !== undefined) return need(requestOf(content, request, { isProse }));
  if (request === "-") return readGivenRequest({ isProse });
  return readRequest(host.files, request, { cwd, isProse });
}

interface DraftSettings {
  readonly frozen: Omit<SessionDraft["settings"], "identity">;
  readonly commands: readonly NamedCommand[];
  /** What is in the folder of the request at HEAD, if it was asked for. */
  readonly names: readonly string[];
}

interface SettingsWords extends StartWords {
  readonly folder: string | undefined;
  readonly budgets: Budgets;
  readonly work: SessionWork;
}

/**
 * The settings that are frozen in the session, so that a role started on its own decides by the
 * same.
 */
async function draftSettings(
  world: World,
  repository: Repository,
  words: SettingsWords,
): Promise<DraftSettings> {
  const { budgets, folder, work, fleet, acceptRedBase = false } = words;
  const { directory, head } = repository;
  const read = need(readSettings(world.host.files, directory));
  const usual = (role: Role) => usualEngine(world, directory, read, role);
  const config = withEngineWords(withFlags(read, words), words, usual);
  const reviewers = need(readReviewers(world.host.files, reviewerDirectories(world, directory)));
  const engines = sessionEngines(world, directory, config, reviewers);
  const [listed, filters, chosen] = await Promise.all([
    baseFiles(world.env, repository, folder),
    settledFilters(world, directory),
    chooseSandbox(world, config.sandbox, enginePrograms(engines)),
  ]);
  const usdPerTask = needsEstimate(config.plan) ? await pastCost(world) : undefined;
  const [root, sandbox] = [need(listed), need(chosen)];
  const commands = draftedCommands(config, root);
  const frozen: DraftSettings["frozen"] = {
    version: PROTOCOL_VERSION,
    madeBy: world.version,
    base: head,
    repository: directory,
    engines,
    policy: {
      ...policyOf(config, work, usdPerTask),
      ...(commands.verify.length > 0 ? {} : adoptable(config)),
      redBase: redBasePolicy(
        { files: world.host.files, folder: repositoryState(world.env, directory) },
        { knownRed: config.verify?.knownRed ?? [], isAccepted: acceptRedBase, sandbox },
      ),
    },
    ...(fleet === undefined ? {} : { fleet }),
    budget: frozenBudget(config, budgets),
    namespaces: config.namespaces,
    sandbox,
    mcp: mcpServers(config.mcp, (name) => findExecutable(name, world) !== undefined).map(copied),
    notify: config.notify === undefined ? undefined : [...config.notify],
    review: { batch: config.review.batch, parallel: config.review.parallel },
    ...commands,
    ...(filters === undefined ? {} : { filters }),
    testPaths: [...config.tests.paths],
    publish: { ...config.publish },
    ...(config.report.publish ? { report: { publish: true } } : {}),
  };
  return { frozen, commands: namedCommands(read), names: root.namesInFolder };
}

/** What the settings leave open, so that a milestone may bring it. */
function adoptable({ verify, setup, build }: Config): Partial<Policy> {
  if (verify?.run !== undefined) return {};
  const rest = [
    ...(setup === undefined ? ["setup" as const] : []),
    ...(build === undefined ? ["build" as const] : []),
  ];
  return { adopts: ["verify", ...rest] };
}

/** What a task may cost, by the dearer sessions of this repository: a limit is not to be passed unseen. */
async function pastCost(world: World): Promise<number | undefined> {
  // Imported only here, because it reads sessions, which few new ones need.
  const { pastWork } = await import("../../workspace/past-work.ts");
  return estimateCost(await pastWork(world, undefined), 1).costUsd?.high;
}

function copied<T extends object>(value: T): T {
  return { ...value };
}

/**
 * The limits of the settings, overridden by those of the command line; undefined if there are none.
 */
function frozenBudget({ budget }: Config, words: Budgets): SessionJson["budget"] {
  const { milestone, ...session } = budget;
  const frozen = {
    session: { ...budgetOf(session), ...words.session },
    milestone: { ...budgetOf(milestone), ...words.milestone },
  };
  const limits = [...Object.keys(frozen.session), ...Object.keys(frozen.milestone)];
  return limits.length === 0 ? undefined : frozen;
}

/** Overrides of the settings on the command line. */
function withFlags(
  config: Config,
  { strict = false, noFix = false }: Pick<StartWords, "strict" | "noFix">,
): Config {
  const { review } = config;
  return {
    ...config,
    review: { ...review, strict: review.strict || strict, noFix: review.noFix || noFix },
  };
}
