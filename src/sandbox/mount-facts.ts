import type { Confinement } from "../base/ports/sandbox.ts";
import type { SandboxPlaces, SandboxSetting } from "./sandbox-setting.ts";
import type { SandboxWorld } from "./world.ts";

/** All inputs from which the sandbox's mounts are planned. */
export interface MountFacts {
  readonly world: SandboxWorld;
  readonly setting: SandboxSetting;
  readonly places: SandboxPlaces;
  readonly confinement: Confinement;
  /** Whether programs and system are those of an image, and nothing of the machine is there but what is given. */
  readonly isImage?: boolean | undefined;
}
