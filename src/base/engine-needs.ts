/**
 * What a coding CLI has in a home and on the network: what a sandbox gives to its turns, and hides from all
 * others. Paths are relative to the home.
 */
export interface EngineNeeds {
  /** Folders with its login, its settings and its sessions. Its turns write them; the commands of others do not see them. */
  readonly folders: readonly string[];
  /** Files with the same, of which its turns get a copy. */
  readonly files: readonly string[];
  /** Variables that name one more such folder. */
  readonly folderVariables: readonly string[];
  /** Variables that name a file of the person's that it reads. */
  readonly fileVariables: readonly string[];
  /** Logins that other programs of its vendor keep. Its own turns do not see them either. */
  readonly secrets: readonly string[];
  /** Where its installer puts the program. Every command may read that. */
  readonly programs: readonly string[];
  /** Caches, in whose place are those that all sandboxes of a repository share. */
  readonly caches: readonly string[];
  /** Hosts that it talks to; `*.` stands for anything before the rest of the name. */
  readonly hosts: readonly string[];
}

/** The coding CLIs that wisp knows, by name. */
export type KnownEngines = ReadonlyMap<string, EngineNeeds>;
