import { join } from "node:path";
import type { Sandbox } from "../base/ports/sandbox.ts";
import { ok } from "../base/result.ts";
import { foldersOf, privateCaches } from "./engine-folders.ts";
import type { Mount } from "./mounts.ts";
import type { MountFacts } from "./mount-facts.ts";
import { cacheName, gitConfigPath, planMounts, temporaryFolder } from "./plan-mounts.ts";
import { rememberedTree } from "./remembered-tree.ts";
import type { SandboxPlaces, SandboxSetting } from "./sandbox-setting.ts";
import type { SandboxWorld } from "./world.ts";

export interface BubblewrapOptions {
  /** The absolute path of `bwrap`. */
  readonly executable: string;
  readonly setting: SandboxSetting;
  readonly places: SandboxPlaces;
  readonly world: SandboxWorld;
  /** The user's git configuration without its secrets, as the text of a configuration file. */
  readonly gitConfig: string;
}

/**
 * Runs a command in its own namespaces, without capabilities, in a tree where everything is read-only or hidden
 * except what the command must write. When its first process ends, everything inside ends; the first process ends
 * with wisp's.
 *
 * `bwrap` itself gets the command's environment, because `bwrap` is the namespace's first process, whose
 * environment can be read inside.
 */
export function createBubblewrap(options: BubblewrapOptions): Sandbox {
  const prepare = once(() => prepareFolders(options));
  return {
    kind: "bubblewrap",
    confine(confinement) {
      const { executable, setting, places, world } = options;
      prepare();
      makeOwnFolders({ world, setting, places, confinement });
      const tree = rememberedTree(world.tree);
      const facts: MountFacts = { world: { ...world, tree }, setting, places, confinement };
      const hasNetwork = setting.network || confinement.needsNetwork === true;
      const before = [
        executable,
        ...FLAGS,
        ...REPORT,
        ...(hasNetwork ? [] : ["--unshare-net"]),
        ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
        ...planMounts(facts)
          .list()
          .flatMap(([path, mount]) => wordsOf(path, mount)),
        ...["--chdir", confinement.command.cwd, "--"],
      ];
      const env = { GIT_CONFIG_GLOBAL: gitConfigPath(places) };
      return ok({ before, env, isKeeper: true });
    },
  };
}

/** Makes bubblewrap report the pid of the namespace's first process on descriptor 3. */
const REPORT = ["--info-fd", "3"];

const FLAGS = ["--die-with-parent", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL"];

/** A minimal command that works only if `bubblewrap` does. */
export function bubblewrapProbe(executable: string): readonly [string, ...string[]] {
  const tree = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];
  return [executable, ...FLAGS, ...tree, "--", "true"];
}

function wordsOf(path: string, mount: Mount): readonly string[] {
  switch (mount.kind) {
    case "empty":
      return ["--perms", "0700", "--tmpfs", path];
    case "blank":
      return ["--ro-bind", "/dev/null", path];
    case "read":
      // The path may have disappeared since it was checked.
      return ["--ro-bind-try", mount.from ?? path, path];
    case "write":
      return ["--bind-try", mount.from ?? path, path];
    case "link":
      return ["--symlink", mount.to, path];
  }
}

function prepareFolders({ places, world, gitConfig }: BubblewrapOptions): void {
  const { files, engines } = world;
  const { scratch, caches } = places;
  files.makeScratchDirectory(scratch);
  // Written anew by each process of the role, so it need not survive a power cut.
  files.remove(gitConfigPath(places));
  files.createScratch(gitConfigPath(places), Buffer.from(gitConfig));
  for (const path of privateCaches(engines))
    files.makeScratchDirectory(join(caches, cacheName(path)));
}

function makeOwnFolders({ world, places, confinement }: MountFacts): void {
  const { files, directories, tree, engines } = world;
  const { command, engine, caches } = confinement;
  const temporary = temporaryFolder(places, command.cwd);
  if (tree.entries(temporary).length > 0) directories.removeTree(temporary);
  if (tree.kindOf(temporary) === undefined) files.makeScratchDirectory(temporary);
  for (const path of caches === undefined ? [] : privateCaches(engines)) {
    const folder = join(caches?.folder ?? "", cacheName(path));
    if (tree.kindOf(folder) === undefined) files.makeScratchDirectory(folder);
  }
  const [home = "/"] = places.homes;
  // Otherwise a first login, and sessions to resume, would disappear with the sandbox.
  for (const folder of foldersOf(engines, engine, { home, env: command.env }).folders) {
    if (tree.kindOf(folder) === undefined) files.makeDirectory(folder);
  }
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    act();
    isDone = true;
  };
}
