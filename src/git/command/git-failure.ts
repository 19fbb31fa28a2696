import type { FileFailure } from "../../base/ports/files.ts";
import { GitFailure } from "../../base/ports/repo.ts";
import { cleanText } from "../../base/words/clean-text.ts";

/** Enough for the start of git's message; remotes can add very much more. */
const MESSAGE_CHARS_MAX = 600;

/** A password or token in a URL, which git repeats in some messages. */
const CREDENTIALS = /:\/\/[^/@\s]+@/gu;

/**
 * Makes a failure of a git command in `directory`. `detail` is git's own message; it is cleaned
 * here.
 */
export function gitFailure(operation: string, directory: string, detail: string): GitFailure {
  const lines = detail.split("\n").filter((line) => !line.startsWith("hint:"));
  const bare = lines.join("\n").replace(CREDENTIALS, "://***@");
  const message = cleanText(bare, { charsMax: MESSAGE_CHARS_MAX, lines: "many" });
  return GitFailure({ operation, directory, message });
}

/** Turns a failure to read or write a file of a repository into a git failure. */
export function fileAsGitFailure(operation: string, failure: FileFailure): GitFailure {
  const detail = `cannot ${failure.operation} ${failure.path}: ${failure.errno}`;
  return gitFailure(operation, failure.path, detail);
}
