import { join } from "node:path";
import type { Directories } from "../../base/ports/directories.ts";
import { need } from "../../base/fatal.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import type { Result } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";

/** A file that a prompt names, as it lies in the folder of its turn. */
export interface TurnFile {
  /** Its name in the folder. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What it is, for the engine: goes behind its path and a colon. */
  readonly says: string;
}

/**
 * What a turn may read beside its clone: copies of what its prompt names, and nothing else. It is laid down when the
 * turn begins and removed when the turn ends; the next turn at the same place has a folder of the same name.
 */
export interface TurnFolder {
  /** Absolute; outside every clone and outside the session's home. */
  readonly directory: string;
  readonly files: readonly TurnFile[];
}

/** Name of the file with the diff that a review is about. */
export const RANGE_FILE = "range.diff";

/** Whose folder: turns of one role at the same time have each their own. */
interface FolderPlace {
  readonly session: Pick<SessionJson, "state">;
  readonly role: Role;
  readonly lane?: number | undefined;
}

/** The folder of a turn with these files; nothing is written yet. */
export function turnFolder(
  { session, role, lane = 0 }: FolderPlace,
  files: readonly TurnFile[],
): TurnFolder {
  const name = lane === 0 ? FOLDER : `${FOLDER}-${String(lane)}`;
  return { directory: join(session.state, role, name), files };
}

const FOLDER = "turn";

/** Path of a file of the folder; "" where the folder has none of that name. */
export function pathIn({ directory, files }: TurnFolder, name: string): string {
  return files.some((file) => file.name === name) ? join(directory, name) : "";
}

/** What lies in the folder, for the prompt: each path with what is there. */
export function folderWords({ directory, files }: TurnFolder): string {
  const lines = files.map(({ name, says }) => `- \`${join(directory, name)}\`: ${says}`);
  return ["Files for you to read, outside the repository:", "", ...lines].join("\n");
}

interface Machine {
  readonly files: Files;
  readonly directories: Pick<Directories, "removeTree">;
}

/** Lays the files down. What lay there before, of a turn that was killed with its role, is gone. */
export function layFolder({ files, directories }: Machine, folder: TurnFolder): void {
  need(directories.removeTree(folder.directory));
  need(files.makeDirectory(folder.directory));
  for (const { name, bytes } of folder.files) {
    need(files.create(join(folder.directory, name), bytes));
  }
}

/** Removes the folder at the end of its turn. */
export function removeFolder(
  { directories }: Machine,
  { directory }: TurnFolder,
): Result<void, FileFailure> {
  return directories.removeTree(directory);
}

/**
 * Removes what turns of a killed process left: their folders, and the temporary files of their engines. To be called
 * once, under the role's lease and before its first turn: later it would take from turns what is theirs.
 */
export function sweepFolders(
  { files, directories }: Machine,
  { session, role }: FolderPlace,
): void {
  const state = join(session.state, role);
  for (const name of need(files.list(state))) {
    // What cannot be removed, such as files of a container's user, holds nobody up: turns have other places.
    if (STRAY.test(name)) directories.removeTree(join(state, name));
  }
}

/** Folders of turns, and the folders of temporary files that each engine of a role has (`openEngines`). */
const STRAY = /^(?:turn|tmp)(?:-\d+)?$/u;
