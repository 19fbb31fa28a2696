/** What a session's settings say of its sandbox; paths as a person wrote them. */
export interface SandboxSetting {
  /** Whether there is more than loopback. */
  readonly network: boolean;
  /** Not mounted: from the home (`~/…`), absolute, or relative to the repository and each clone. */
  readonly deny: readonly string[];
  /** Mounted read-only, also where they would be protected. */
  readonly allow: readonly string[];
  /** Mounted writable. */
  readonly write: readonly string[];
}

/** Where everything of a role's process is that a sandbox has to know; absolute paths. */
export interface SandboxPlaces {
  /** Homes of the person: of the environment, and of the account. The first is the one that is told. */
  readonly homes: readonly string[];
  /** The person's checkout. */
  readonly repository: string;
  /** A folder of the role's own, for what a sandbox is made of. */
  readonly scratch: string;
  /**
   * Folders in which wisp keeps what it knows and makes, of all repositories and sessions: nothing in them is
   * there but what a command is given.
   */
  readonly state: readonly string[];
  /** Caches of packages that all sandboxes of the repository share. */
  readonly caches: string;
}
