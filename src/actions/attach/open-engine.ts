import { dirname, join } from "node:path";
import type { Role } from "../../base/role.ts";
import { NO_SANDBOX, type Sandbox } from "../../base/ports/sandbox.ts";
import { recordedEngine } from "../../agents/recording/recorded-engine.ts";
import { steeredEngine } from "../../agents/steering/steered-engine.ts";
import { acpProfile } from "../../engines/acp/acp.ts";
import { createCliEngine } from "../../engines/run/cli-engine.ts";
import { inheritedBy } from "../../engines/run/cli-environment.ts";
import type { Checkout } from "../../engines/run/environment-in.ts";
import { codingCli } from "../../engines/coding-clis.ts";
import { createCommandEngine } from "../../engines/command/command.ts";
import { realPath } from "../../host/files/node-links.ts";
import type { Engine } from "../../engines/engine.ts";
import { rootBase } from "../../fs-protocol/home/root-base.ts";
import type { EngineSetting, SessionJson } from "../../fs-protocol/home/session-json.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { confineEngine, deniedPaths } from "./open-sandbox.ts";

/** The default for sessions whose settings do not set it. */
const IDLE_TIMEOUT_MS = 15 * 60_000;

/**
 * The engines of a role as its session froze them: the chosen one, then its fallbacks, then those
 * requested by single turns.
 */
export function openEngines(
  world: Pick<World, "host" | "env" | "entry" | "nodePath">,
  session: Pick<
    SessionJson,
    "engines" | "state" | "sandbox" | "mcp" | "repository" | "base" | "parent"
  >,
  { role, sandbox }: { readonly role: Role; readonly sandbox: Sandbox },
): readonly Engine[] {
  const {
    fallbacks = [],
    named = [],
    attempts: _,
    model,
    mode,
    ...setting
  } = session.engines[role];
  // A model's or a mode's name belongs to one engine; the others choose their own.
  const own: Omit<EngineSetting, "fallbacks" | "named" | "attempts"> = {
    ...setting,
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
  };
  const settings = [own, ...[...fallbacks, ...named].map((other) => ({ ...setting, ...other }))];
  const { files, directories, locks } = world.host;
  const { state, repository } = session;
  const home = world.env["HOME"];
  const checkout = { files, directories, checkout: repository, state: [state], home };
  const recording = { state, repository, files, locks, git: gitContext(world), env: world.env };
  const steering = {
    git: recording.git,
    repository,
    base: rootBase(files, session),
    read: new Map(),
    unread: (engine: string) => codingCli(engine)?.unreadByOthers,
  };
  return settings.map((one, at) => {
    const engine = engineOf(
      world,
      one,
      join(session.state, role, at === 0 ? "tmp" : `tmp-${String(at)}`),
      { sandbox, frozen: session.sandbox, mcp: session.mcp, checkout },
    );
    // A recording shows the clone as on its branch.
    return recordedEngine(steeredEngine(engine, role, steering), recording);
  });
}

/** The surroundings of an engine: its sandbox and its MCP servers. */
export interface EngineSurroundings {
  readonly sandbox: Sandbox;
  readonly frozen?: SessionJson["sandbox"];
  readonly mcp?: SessionJson["mcp"];
  readonly checkout?: Checkout;
}

/**
 * An engine created from its settings; temporary files of its runs go to a directory of its own.
 */
export function engineOf(
  { host, env, entry, nodePath }: Pick<World, "host" | "env" | "entry" | "nodePath">,
  setting: Omit<EngineSetting, "turnTimeoutMs">,
  tmpDirectory: string,
  { sandbox, frozen, mcp = [], checkout }: EngineSurroundings = { sandbox: NO_SANDBOX },
): Engine {
  const { files, processes, directories, clock } = host;
  const { name, model, env: variables = [], startTimeoutMs } = setting;
  const { idleTimeoutMs = IDLE_TIMEOUT_MS } = setting;
  const usesSchema = setting.schema ?? true;
  const isAcp = name === "acp";
  const { argv, own, program } = commandLine({ entry, nodePath }, setting);
  const profile = isAcp
    ? acpProfile({ turnArgs: [entry, "acp-turn"], agent: argv, mode: setting.mode })
    : codingCli(name);
  const servers = mcp.flatMap(({ command }) => command);
  const confine = confineEngine(sandbox, { name, argv, own: [...own, ...servers], program });
  if (profile === undefined) {
    const seen = inheritedBy(variables, env);
    const shared = { processes, files, clock, checkout, confine };
    return createCommandEngine({ name, argv, model, env: seen, ...shared });
  }
  const engine = createCliEngine({
    ...{
      profile,
      argv: isAcp ? [nodePath] : argv,
      model,
      // A server may be started with the engine's own environment.
      variables: [...variables, ...mcp.flatMap((server) => server.env)],
      env,
      usesSchema,
      idleTimeoutMs,
      startTimeoutMs,
      tmpDirectory,
    },
    ...{
      processes,
      files,
      directories,
      realPath,
      clock,
      checkout,
      confine,
      denied: deniedPaths(frozen),
      mcp,
    },
  });
  // An engine that speaks ACP talks to a program.
  return isAcp ? { ...engine, interactive: undefined } : engine;
}

/** How an engine is started; where wisp itself plays a part, the one that runs does, wherever the session was begun. */
function commandLine(
  { entry, nodePath }: Pick<World, "entry" | "nodePath">,
  { name, argv: [executable = "", ...rest] }: Pick<EngineSetting, "name" | "argv">,
) {
  const [isAcp, isReplay] = [name === "acp", name === "replay"];
  const argv: readonly [string, ...string[]] = isReplay
    ? [nodePath, entry, ...rest.slice(1)]
    : [executable, ...rest];
  const program = isAcp || isReplay ? dirname(entry) : undefined;
  return { argv, own: isAcp ? [nodePath, entry] : [], program };
}
