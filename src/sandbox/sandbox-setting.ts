import type { Confinement } from "../base/ports/sandbox.ts";

/** A session's sandbox settings, with paths as the user wrote them. */
export interface SandboxSetting {
  /** Whether there is a network beyond loopback. */
  readonly network: boolean;
  /** Paths not mounted: in the home (`~/…`), absolute, or relative to the repository and each clone. */
  readonly deny: readonly string[];
  /** Paths mounted read-only, even if they are protected. */
  readonly allow: readonly string[];
  /** Paths mounted writable. */
  readonly write: readonly string[];
}

/** The places of a role's process that a sandbox needs to know; absolute paths. */
export interface SandboxPlaces {
  /** The user's homes: from the environment, and from the account database. The first one is used for `~`. */
  readonly homes: readonly string[];
  /** The user's checkout. */
  readonly repository: string;
  /** A folder of the role's own, for files that make up a sandbox. */
  readonly scratch: string;
  /**
   * Folders in which wisp keeps its state and products for all repositories and sessions. Only what a command is
   * given is visible in them.
   */
  readonly state: readonly string[];
  /** The objects that the clones of the repository borrow, which may only be read; absent: they borrow none of wisp's. */
  readonly objects?: string | undefined;
  /** Package caches that all sandboxes of the repository share. */
  readonly caches: string;
}

/** Whether a command reaches more than a loopback of its own. */
export function reachesNetwork(
  { network }: Pick<SandboxSetting, "network">,
  { needsNetwork, hasOwnLoopback }: Pick<Confinement, "needsNetwork" | "hasOwnLoopback">,
): boolean {
  return hasOwnLoopback !== true && (network || needsNetwork === true);
}
