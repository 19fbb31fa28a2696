import type { FileFailure } from "../../base/ports/files.ts";
import { GitFailure } from "../../base/ports/repo.ts";
import { cleanText } from "../../base/words/clean-text.ts";

/** Enough for what git says first; remotes can make it say very much more. */
const MESSAGE_CHARS_MAX = 600;

/** A password or token in a URL, as git repeats it in some of its messages. */
const CREDENTIALS = /:\/\/[^/@\s]+@/gu;

/** Which command failed where; `says` is what git printed, cleaned here. */
export function gitFailure(operation: string, directory: string, says: string): GitFailure {
  const lines = says.split("\n").filter((line) => !line.startsWith("hint:"));
  const bare = lines.join("\n").replace(CREDENTIALS, "://***@");
  const message = cleanText(bare, { charsMax: MESSAGE_CHARS_MAX, lines: "many" });
  return GitFailure({ operation, directory, message });
}

/** A file of a repository that could not be read or written, in the words of git failures. */
export function fileAsGitFailure(operation: string, failure: FileFailure): GitFailure {
  const says = `cannot ${failure.operation} ${failure.path}: ${failure.errno}`;
  return gitFailure(operation, failure.path, says);
}
