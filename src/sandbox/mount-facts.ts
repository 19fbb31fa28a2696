import type { Confinement } from "../base/ports/sandbox.ts";
import type { SandboxPlaces, SandboxSetting } from "./sandbox-setting.ts";
import type { SandboxWorld } from "./world.ts";

/** Everything that the tree inside follows from. */
export interface MountFacts {
  readonly world: SandboxWorld;
  readonly setting: SandboxSetting;
  readonly places: SandboxPlaces;
  readonly confinement: Confinement;
}
