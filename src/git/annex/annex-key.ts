import { createHash } from "node:crypto";
import { join } from "node:path";

/*
 * How git-annex names content: a locked file is a link to `.git/annex/objects/…/<key>/<key>`, an unlocked one is for git
 * the text `/annex/objects/<key>`.
 */

const NAMES_KEY = /^(?:(?:\.\.\/)*\.git)?\/annex\/objects\/(?:[^\n\0]+\/)?([^/\n\0]+)(?:\n|$)/u;

/** Longer texts are no names of content: a key is a digest, a size and a few letters. */
export const ANNEX_NAME_BYTES_MAX = 4_096;

/** The key that a link, or the text of an unlocked file, names; undefined for other content. */
export function annexKeyIn(text: string): string | undefined {
  return text.length > ANNEX_NAME_BYTES_MAX ? undefined : NAMES_KEY.exec(text)?.[1];
}

/** Where the content of a key may be in a git directory: in either form of the folders above it. */
export function annexPaths(gitDirectory: string, key: string): readonly string[] {
  const digest = createHash("md5").update(key).digest();
  const hex = digest.toString("hex");
  const folders = [mixedFolders(digest), join(hex.slice(0, 3), hex.slice(3, 6))];
  return folders.map((folder) => join(gitDirectory, "annex", "objects", folder, key, key));
}

const LETTERS = "0123456789zqjxkmvwgpfZQJXKMVWGPF";

/** Five of every six bits of the first word choose a letter each, and the letters of each pair are swapped. */
function mixedFolders(digest: Buffer): string {
  const word = digest.readUInt32LE(0);
  const [one, two, three, four] = [0, 6, 12, 18].map((shift) =>
    LETTERS.charAt((word >>> shift) & 31),
  );
  return join(`${two ?? ""}${one ?? ""}`, `${four ?? ""}${three ?? ""}`);
}
