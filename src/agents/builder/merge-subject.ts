import { cleanText } from "../../fs-protocol/clean-text.ts";
import { bareUrl } from "../../git/remotes.ts";

const SUBJECT_CHARS_MAX = 200;

/** The subject of a commit that joins a remote's branch with the session's; a URL's user and password are left out. */
export function mergeSubject(remote: string, branch: string): string {
  const subject = `Merge branch '${branch}' of ${bareUrl(remote)}`;
  return cleanText(subject, { charsMax: SUBJECT_CHARS_MAX, lines: "one" });
}
