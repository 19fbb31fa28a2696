import { basename, dirname, join } from "node:path";
import {
  accountHome,
  homeDirectory,
  OWN_PID,
  USER_AND_GROUP,
} from "../../host/system/this-machine.ts";
import {
  type Confine,
  type Sandbox,
  type SandboxKind,
  NO_SANDBOX,
} from "../../base/ports/sandbox.ts";
import { ok } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import { ENGINE_NEEDS } from "../../engines/coding-clis.ts";
import type {
  EngineSetting,
  FrozenSandbox,
  SessionJson,
} from "../../fs-protocol/home/session-json.ts";
import { sharedObjects, storeDirectory } from "../../fs-protocol/home/shared-objects.ts";
import { blobsIn } from "../../git/repository/known-objects.ts";
import { userGitConfig } from "../../git/command/user-config.ts";
import { createNodeTreeView } from "../../host/files/node-tree-view.ts";
import { createBubblewrap } from "../../sandbox/bubblewrap.ts";
import { cleanGitConfig } from "../../sandbox/clean-git-config.ts";
import { secretsInHome } from "../../sandbox/engine-folders.ts";
import type { SandboxPlaces } from "../../sandbox/sandbox-setting.ts";
import { createContainerSandbox } from "../../sandbox/container/container-sandbox.ts";
import { createSrt } from "../../sandbox/srt.ts";
import { containerProgram } from "../../workspace/container-sandbox-trouble.ts";
import type { SandboxWorld } from "../../sandbox/world.ts";
import { openToRoot, sandboxExecutable } from "../../workspace/sandbox-program.ts";
import { gitContext, wispArgv, type World } from "../../workspace/world.ts";
import { stateFolders } from "../../workspace/state-directory.ts";

/** What a sandbox is created from. */
export interface SandboxOptions {
  readonly frozen: FrozenSandbox | undefined;
  readonly places: SandboxPlaces;
  /** Labels of containers, if the sandbox makes some. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

type Opening = Pick<World, "host" | "env" | "cwd" | "nodePath" | "entry">;

/** The sandbox that a session froze, for one of its roles. */
export function openRoleSandbox(
  world: Opening,
  session: Pick<SessionJson, "id" | "sandbox" | "state" | "parent" | "repository">,
  role: Role,
): Promise<Sandbox> {
  const { sandbox, state, repository } = session;
  const store = storeDirectory(session);
  return openSandbox(world, {
    frozen: sandbox,
    labels: { "wisp.session": session.id, "wisp.role": role },
    places: {
      homes: homesOf(world.env),
      repository,
      scratch: join(state, role, "sandbox"),
      state: stateFolders(world.env, state),
      // Next to the sessions of the repository, under a name that no session has.
      caches: join(dirname(state), ".caches"),
      objects: store === undefined ? undefined : sharedObjects(store),
    },
  });
}

/**
 * Creates any sandbox. One that is no longer installed fails whenever it has to confine something.
 */
export async function openSandbox(
  world: Opening,
  { frozen, places, labels = {} }: SandboxOptions,
): Promise<Sandbox> {
  if (frozen === undefined || frozen.kind === "none") return NO_SANDBOX;
  const { kind } = frozen;
  const { files, directories } = world.host;
  const git = gitContext(world);
  const surroundings: SandboxWorld = {
    ...{ tree: createNodeTreeView(), files, directories, engines: ENGINE_NEEDS },
    blobsIn: (repository, ids) => blobsIn(git, repository, ids),
  };
  const shared = { setting: frozen, places, world: surroundings };
  const gitConfigOf = async () => {
    const listed = await userGitConfig(git, places.repository);
    return cleanGitConfig(listed.ok ? listed.value : "");
  };
  if (kind === "container") {
    const { container } = frozen;
    const program = containerProgram(world);
    if (program === undefined || container === undefined) return goneSandbox("podman or docker");
    const { image, ...limits } = container;
    return createContainerSandbox({
      ...{ ...shared, program, image, limits, labels, user: USER_AND_GROUP, caller: world.env },
      holder: wispArgv(world, "hold-container", String(OWN_PID)),
      gitConfig: await gitConfigOf(),
    });
  }
  const executable = sandboxExecutable(world, kind);
  if (executable === undefined) return goneSandbox(kind);
  const open = openToRoot(kind);
  if (open !== undefined) return closedSandbox(kind, open);
  if (kind === "srt") return createSrt({ executable, ...shared });
  const gitConfig = await gitConfigOf();
  return createBubblewrap({ executable, ...shared, gitConfig });
}

function goneSandbox(program: "bubblewrap" | "srt" | "podman or docker"): Sandbox {
  const reason = `the session runs in ${program}, which is no longer installed: install it again`;
  return closedSandbox(program === "podman or docker" ? "container" : program, reason);
}

/** A sandbox that fails whenever it has to confine something. */
function closedSandbox(kind: SandboxKind, reason: string): Sandbox {
  return { kind, confine: () => ({ ok: false, failure: { kind: "sandbox", reason } }) };
}

/** From the environment first, then from the account: some programs use one, some the other. */
export function homesOf(env: World["env"]): readonly string[] {
  const named = [env["HOME"], homeDirectory(), accountHome()].filter((path) => path !== undefined);
  return [...new Set(named.filter((path) => path.startsWith("/")))];
}

/** An engine's setting, and the words of what it runs besides: of wisp before it, and of its MCP servers. */
export interface ConfinedEngine extends Pick<EngineSetting, "name"> {
  readonly argv: readonly string[];
  readonly own?: readonly string[];
  /** The folder of wisp's own code, for a turn that runs it. */
  readonly program?: string | undefined;
}

/**
 * The sandbox of an engine's turns: with the folders in which that engine keeps its login and its
 * sessions.
 */
export function confineEngine(
  sandbox: Sandbox,
  { name, argv, own = [], program }: ConfinedEngine,
): Confine | undefined {
  if (sandbox.kind === "none") return undefined;
  // An engine behind another protocol, or a program of the user's, is recognized by its executable.
  const isItself = name !== "acp" && name !== "command";
  const engine = isItself ? name : basename(argv[0] ?? "");
  // Arguments of the turn itself do not count: an engine may have chosen one, such as the id of its
  // session.
  const named = [...own, ...argv];
  const code = program === undefined ? [] : [program];
  return (command, { readable = [], writable }) =>
    sandbox.confine({ command, named, readable: [...readable, ...code], writable, engine });
}

/** Patterns for a clone, where files with these names are never just examples. */
const ENV_FILES = [".env", ".env.local", ".env.development", ".env.production", ".envrc"];

/**
 * The paths that an engine with its own permission rules must refuse; none for a session without
 * sandbox settings.
 */
export function deniedPaths(frozen: FrozenSandbox | undefined): readonly string[] {
  if (frozen === undefined) return [];
  const { deny, allow, write } = frozen;
  const allowed = new Set([...allow, ...write]);
  const inHome = secretsInHome(ENGINE_NEEDS).map((path) => `~/${path}`);
  const inClone = [...ENV_FILES, ...deny].map((path) => (/^[~/]/u.test(path) ? path : `./${path}`));
  return [...inHome, ...inClone].filter((path) => !allowed.has(path.replace(/^\.\//u, "")));
}

/** What confines the commands that wisp itself runs; nothing if the settings turn that off. */
export function commandSandbox(sandbox: Sandbox, frozen: FrozenSandbox | undefined): Sandbox {
  if (frozen?.commands === true) return sandbox;
  return { kind: "none", confine: () => ok(undefined) };
}
