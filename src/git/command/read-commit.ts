import type { Files } from "../../base/ports/files.ts";
import { Oid } from "../../base/oid.ts";
import type { GitDirectory } from "./git-directory.ts";
import { type GitObject, readObject } from "./read-object.ts";

/** What wisp needs to know of a commit; it never changes. */
export interface CommitObject {
  readonly tree: Oid;
  /** None for a first commit, several for a merge. */
  readonly parents: readonly Oid[];
  /** When it was made, in seconds since 1970; absent if the commit does not say it in the usual form. */
  readonly committedSeconds?: number | undefined;
}

/** Far more than a commit with a long message. */
const COMMIT_BYTES_MAX = 1024 * 1024;
/** git lists a longer range about as fast. */
const LINE_COMMITS_MAX = 50;

/**
 * Reads a commit from its file, and checks it by its hash. Undefined if the commit is packed or absent: then only git
 * can tell.
 */
export function readCommit(files: Files, at: GitDirectory, oid: Oid): CommitObject | undefined {
  const object = readObject(files, at, { oid, bytesMax: COMMIT_BYTES_MAX });
  return object?.kind === "commit" ? commitIn(object) : undefined;
}

/** What a commit object says; undefined if it is malformed. */
export function commitIn({ content }: Pick<GitObject, "content">): CommitObject | undefined {
  const text = content.toString("latin1");
  const header = /^tree ([0-9a-f]+)\n((?:parent [0-9a-f]+\n)*)/u.exec(text);
  if (header === null) return undefined;
  const parents = (header[2] ?? "").split("\n").slice(0, -1);
  const named = [header[1], ...parents.map((line) => line.slice("parent ".length))];
  const oids = named.map((name) => Oid.safeParse(name));
  if (!oids.every((one) => one.success)) return undefined;
  const [tree, ...rest] = oids.map(({ data }) => data);
  if (tree === undefined) return undefined;
  return { tree, parents: rest, ...timeIn(text.slice(header[0].length)) };
}

/** What follows the parents in a usual commit: who wrote it, and who committed it and when. */
const SIGNED = /^author [^\n]+\ncommitter [^\n]*> (\d{1,12}) [+-]\d{4}\n/u;

function timeIn(text: string): Pick<CommitObject, "committedSeconds"> {
  const seconds = SIGNED.exec(text)?.[1];
  return seconds === undefined ? {} : { committedSeconds: Number(seconds) };
}

/**
 * The commits of `from..to`, oldest first, read from their files; undefined if only git can tell:
 * if the history between the two is not one line, is long, or is packed.
 */
export function readHistory(
  files: Files,
  place: GitDirectory,
  { from, to }: { readonly from: Oid; readonly to: Oid },
): readonly Oid[] | undefined {
  const commits: Oid[] = [];
  let at = to;
  while (at !== from && commits.length < LINE_COMMITS_MAX) {
    const [parent, ...others] = readCommit(files, place, at)?.parents ?? [];
    if (parent === undefined || others.length > 0) return undefined;
    commits.push(at);
    at = parent;
  }
  return at === from ? commits.reverse() : undefined;
}
