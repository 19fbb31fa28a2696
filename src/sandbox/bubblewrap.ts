import type { Sandbox } from "../base/ports/sandbox.ts";
import { ok } from "../base/result.ts";
import { KERNEL_SETTINGS } from "./kernel-settings.ts";
import type { Mount } from "./mounts.ts";
import type { MountFacts } from "./mount-facts.ts";
import { makeOwnFolders, once, prepareFolders } from "./own-folders.ts";
import { gitConfigPath, planMounts } from "./plan-mounts.ts";
import { rememberedTree } from "./remembered-tree.ts";
import { reachesNetwork, type SandboxPlaces, type SandboxSetting } from "./sandbox-setting.ts";
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
    givesLoopback: options.setting.network,
    confine(confinement) {
      const { executable, setting, places, world } = options;
      prepare();
      makeOwnFolders({ world, places, confinement });
      const tree = rememberedTree(world.tree);
      const facts: MountFacts = { world: { ...world, tree }, setting, places, confinement };
      const before = [
        executable,
        ...FLAGS,
        ...REPORT,
        ...(reachesNetwork(setting, confinement) ? [] : ["--unshare-net"]),
        ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
        ...KERNEL_SETTINGS.flatMap((path) => ["--ro-bind-try", path, path]),
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
