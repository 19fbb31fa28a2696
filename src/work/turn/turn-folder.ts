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
  /** Description for the engine, printed after the file's path and a colon. */
  readonly says: string;
}

/**
 * The folder that a turn may read in addition to its clone. It holds copies of the files that the prompt names and
 * nothing else. It is created when the turn begins and removed when the turn ends; the next turn reuses its path.
 */
export interface TurnFolder {
  /** Absolute; outside every clone and outside the session's home. */
  readonly directory: string;
  readonly files: readonly TurnFile[];
}

/** Name of the file with the diff that a review is about. */
export const RANGE_FILE = "range.diff";

/** Whose folder it is: turns of one role that run at the same time have separate folders. */
interface FolderPlace {
  readonly session: Pick<SessionJson, "state">;
  readonly role: Role;
  readonly lane?: number | undefined;
}

/** Describes the folder of a turn with these files. Writes nothing. */
export function turnFolder(
  { session, role, lane = 0 }: FolderPlace,
  files: readonly TurnFile[],
): TurnFolder {
  const name = lane === 0 ? FOLDER : `${FOLDER}-${String(lane)}`;
  return { directory: join(session.state, role, name), files };
}

const FOLDER = "turn";

/** Path of a file in the folder; "" if the folder has no file of that name. */
export function pathIn({ directory, files }: TurnFolder, name: string): string {
  return files.some((file) => file.name === name) ? join(directory, name) : "";
}

/** Lists the files of the folder for the prompt, each path with its description. */
export function folderWords({ directory, files }: TurnFolder): string {
  const lines = files.map(({ name, says }) => `- \`${join(directory, name)}\`: ${says}`);
  return ["Files for you to read, outside the repository:", "", ...lines].join("\n");
}

interface Machine {
  readonly files: Files;
  readonly directories: Pick<Directories, "removeTree">;
}

/** Creates the folder with its files. Removes what a turn that was killed with its role left there. */
export function createTurnFolder({ files, directories }: Machine, folder: TurnFolder): void {
  need(directories.removeTree(folder.directory));
  need(files.makeScratchDirectory(folder.directory));
  for (const { name, bytes } of folder.files) {
    need(files.createScratch(join(folder.directory, name), bytes));
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
 * Removes what turns of a killed process left: their folders, and the temporary files of their engines. Must be called
 * under the role's lease and before its first turn: later it would remove files of running turns.
 */
export function sweepFolders(
  { files, directories }: Machine,
  { session, role }: FolderPlace,
): void {
  const state = join(session.state, role);
  for (const name of need(files.list(state))) {
    // A failure, such as for files of a container's user, is ignored: turns can use other folders.
    if (STRAY.test(name)) directories.removeTree(join(state, name));
  }
}

/** Names of the folders of turns, and of the folders for temporary files of engines (`openEngines`). */
const STRAY = /^(?:turn|tmp)(?:-\d+)?$/u;
