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
        ...(reachesNetwork(setting, confinement) ? [] : [UNSHARE_NETWORK]),
        ...TREE,
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

/** The machine as it is, to read. */
const TREE = [
  ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
  ...KERNEL_SETTINGS.flatMap((path) => ["--ro-bind-try", path, path]),
];

/** Each kind of mount once, below an empty folder. */
const EACH_MOUNT: readonly (readonly [string, Mount])[] = [
  ["/tmp", { kind: "empty" }],
  ["/tmp/blank", { kind: "blank" }],
  ["/tmp/read", { kind: "read", from: "/dev/null" }],
  ["/tmp/write", { kind: "write", from: "/dev/null" }],
  ["/tmp/link", { kind: "link", to: "/dev/null" }],
];

/**
 * A command that does nothing, with every word that a sandbox may use: it works only if `bubblewrap` does, and knows
 * them all.
 *
 * @param network `none`: with a loopback of its own instead of the machine's network
 */
export function bubblewrapProbe(
  executable: string,
  network: "machine" | "none" = "machine",
): readonly [string, ...string[]] {
  const report = REPORT.map((word) => (word === "3" ? "1" : word));
  const alone = network === "none" ? [UNSHARE_NETWORK] : [];
  const mounts = EACH_MOUNT.flatMap(([path, mount]) => wordsOf(path, mount));
  return [
    executable,
    ...FLAGS,
    ...report,
    ...alone,
    ...TREE,
    ...mounts,
    "--chdir",
    "/",
    "--",
    "true",
  ];
}

const UNSHARE_NETWORK = "--unshare-net";

/** Only words that bubblewrap 0.4.0 (January 2020) knows: what long-lived systems have is that old. */
function wordsOf(path: string, mount: Mount): readonly string[] {
  switch (mount.kind) {
    case "empty":
      // Its mode is 0755, which is no matter: nobody else sees the namespace.
      return ["--tmpfs", path];
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
