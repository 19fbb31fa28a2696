import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { RUN_ID_VARIABLE, type Environment } from "../../base/ports/processes.ts";
import type { Confinement, Sandbox } from "../../base/ports/sandbox.ts";
import { fail, ok } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import type { MountFacts } from "../mount-facts.ts";
import { makeOwnFolders, once, prepareFolders } from "../own-folders.ts";
import { gitConfigPath, planMounts } from "../plan-mounts.ts";
import { rememberedTree } from "../remembered-tree.ts";
import { reachesNetwork, type SandboxPlaces, type SandboxSetting } from "../sandbox-setting.ts";
import type { SandboxWorld } from "../world.ts";
import {
  CONTAINER_INPUT,
  containerEnvironment,
  containerWords,
  isMountable,
  type Bind,
  type ContainerEngineProgram,
  type ContainerLimits,
  type ContainerUser,
} from "./container-words.ts";
import { hostBinds } from "./host-folders.ts";

/** What a sandbox of containers is made from. */
export interface ContainerSandboxOptions {
  readonly program: ContainerEngineProgram;
  readonly image: string;
  readonly limits: ContainerLimits;
  readonly user: ContainerUser;
  /** Labels of its containers, by which a person finds them. */
  readonly labels: Readonly<Record<string, string>>;
  /** The command that holds a container: it gets `<input> -- <words of run…>`, and ends it with itself. */
  readonly holder: readonly string[];
  /** The environment of the process that runs commands, by which podman or docker finds its own files. */
  readonly caller: Environment;
  readonly setting: SandboxSetting;
  readonly places: SandboxPlaces;
  readonly world: SandboxWorld;
  /** The user's git configuration without its secrets, as the text of a configuration file. */
  readonly gitConfig: string;
}

/**
 * Runs a command in a container of its own, made from an image and removed with the command: the system and all
 * programs are the image's and read-only, and of this machine it sees only what the plan of mounts gives it, at the
 * same paths. Fails if a path cannot be mounted.
 *
 * The container belongs to a process, the holder, and ends with it; the holder ends with wisp's.
 */
export function createContainerSandbox(options: ContainerSandboxOptions): Sandbox {
  const prepare = once(() => prepareFolders(options));
  return {
    kind: "container",
    confine(confinement) {
      const { program, image, limits, user, labels, holder, setting, places, world } = options;
      prepare();
      makeOwnFolders({ world, places, confinement });
      const { command } = confinement;
      const facts = { world, setting, places, confinement, isImage: true };
      const input = inputPath(places, command.cwd);
      const binds = [...bindsOf(facts), { from: input, to: CONTAINER_INPUT, isWritable: false }];
      const odd = binds.flatMap(({ from, to }) => [from, to]).find((path) => !isMountable(path));
      if (odd !== undefined) {
        const reason = `${shown(odd)} has a comma, a quote or a line break in its name, and cannot be mounted in a container`;
        return fail({ kind: "sandbox", reason });
      }
      const git = { GIT_CONFIG_GLOBAL: gitConfigPath(places) };
      const passed = containerEnvironment(
        { ...command.env, ...git },
        { caller: options.caller, more: [RUN_ID_VARIABLE] },
      );
      const words = containerWords({
        ...{ program, image, labels, user, limits, binds },
        name: containerName(places, command.cwd),
        hasNetwork: reachesNetwork(setting, confinement),
        cwd: command.cwd,
        variables: passed.words,
      });
      const before = [...holder, input, "--", ...words];
      return ok({ before, env: { ...git, ...passed.env }, isKeeper: false, isContainer: true });
    },
  };
}

function bindsOf(facts: MountFacts): readonly Bind[] {
  const folder = join(facts.places.scratch, `empty-${basename(facts.confinement.command.cwd)}`);
  const tree = rememberedTree(facts.world.tree);
  const mounts = planMounts({ ...facts, world: { ...facts.world, tree } });
  // By what is there now, because it makes folders itself.
  return hostBinds(facts, mounts, folder);
}

/** Of a clone, in which commands run one after the other: what an earlier one left has the name of the next one. */
function containerName({ scratch }: SandboxPlaces, cwd: Confinement["command"]["cwd"]): string {
  const hash = createHash("sha256").update(`${scratch}\0${cwd}`).digest("hex");
  return `wisp-sandbox-${hash.slice(0, 16)}`;
}

function inputPath({ scratch }: SandboxPlaces, cwd: string): string {
  return join(scratch, `input-${basename(cwd)}`);
}
