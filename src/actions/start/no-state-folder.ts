import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import { errnoWords } from "../../base/words/errno-words.ts";
import { shown } from "../../base/words/shown.ts";

/** There is no place for what wisp keeps outside of the repository, such as clones: there is no home, or it cannot be written. */
export const NoStateFolder = refusal(
  "no-state-folder",
  EXIT.usage,
  ({ path, errno }: { readonly path: string; readonly errno: string }) => [
    `wisp keeps clones in ${shown(path)}, which could not be made: ${errnoWords(errno)}.`,
    "Nothing was created. Set XDG_STATE_HOME, or HOME, to a folder that you can write to, and run the same command again.",
  ],
);

const NO_PLACE: ReadonlySet<string> = new Set(["ENOENT", "EACCES", "EPERM", "EROFS", "ENOTDIR"]);

/** The failure of making that folder, in words that help if the place itself is the reason. */
export function noStateFolder(
  failure: FileFailure,
): FileFailure | ReturnType<typeof NoStateFolder> {
  return NO_PLACE.has(failure.errno) ? NoStateFolder(failure) : failure;
}
