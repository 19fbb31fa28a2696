import type { Oid } from "../../base/oid.ts";
import { decodedText, entriesOf } from "../command/raw-output.ts";
import { isTreePath } from "../command/tree-paths.ts";
import { type FilledEntry, LINK_TO_COMMIT } from "./index-entries.ts";

/** A submodule as a commit names it: its path in the repository that it is in, and its own commit. */
export interface SubmoduleLink {
  readonly path: string;
  readonly commit: Oid;
}

/** A submodule whose files wisp put into a clone or a verify tree. */
export interface FilledSubmodule {
  /** Its folder, from the top of the work tree. */
  readonly path: string;
  readonly commit: Oid;
  /** False while its files are being written, so that nothing half written counts. */
  readonly isWhole: boolean;
  readonly bytes: number;
}

/** The submodules in a list of entries that begin with a mode, as `ls-files --stage -z` and `ls-tree -z` print them. */
export function linksListed(printed: string): readonly SubmoduleLink[] {
  return entriesOf(printed).flatMap((entry) => {
    const [, commit, path] = /^160000 (?:commit )?([0-9a-f]+)[^\t]*\t(.+)$/su.exec(entry) ?? [];
    return commit === undefined || path === undefined ? [] : linked(path, commit);
  });
}

/** The submodules among the entries of an index. */
export function linksAmong(entries: readonly FilledEntry[]): readonly SubmoduleLink[] {
  const links = entries.flatMap(({ mode, path, oid }) =>
    mode === LINK_TO_COMMIT ? linked(path, oid) : [],
  );
  // In a conflict, a path is there for each of its sides.
  return [...new Map(links.map((link) => [link.path, link])).values()];
}

/**
 * A path that is not UTF-8 or that has a line break in it is left out, because nothing is recorded under it; and so is one
 * that leads out of the work tree, or into `.git`.
 */
function linked(bytes: string, commit: Oid): readonly SubmoduleLink[] {
  const path = decodedText(bytes);
  return /[\n\uFFFD]/u.test(path) || !isTreePath(path) ? [] : [{ path, commit }];
}
