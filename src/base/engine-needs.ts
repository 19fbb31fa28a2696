/**
 * The files and hosts that a coding CLI uses. A sandbox gives them to that CLI's turns, and hides them from all
 * other commands. Paths are relative to the home folder.
 */
export interface EngineNeeds {
  /** Folders with its login, settings and sessions. Its turns may write them; other commands cannot see them. */
  readonly folders: readonly string[];
  /** Files with the same content, of which its turns get a copy. */
  readonly files: readonly string[];
  /** Variables that each name a further such folder. */
  readonly folderVariables: readonly string[];
  /** Variables that each name a file of the user's that it reads. */
  readonly fileVariables: readonly string[];
  /** Logins kept by other programs of its vendor, which its own turns cannot see either. */
  readonly secrets: readonly string[];
  /** Where its installer puts the program, which every command may read. */
  readonly programs: readonly string[];
  /** Caches that are replaced by the ones shared by all sandboxes of a repository. */
  readonly caches: readonly string[];
  /** Hosts that it connects to; `*.` stands for any subdomain. */
  readonly hosts: readonly string[];
}

/** The coding CLIs that wisp knows, by name. */
export type KnownEngines = ReadonlyMap<string, EngineNeeds>;
