/** The kind of an entry; links are not followed. */
export type TreeEntryKind = "file" | "directory" | "link" | "other";

export interface TreeEntry {
  readonly name: string;
  readonly kind: TreeEntryKind;
}

/** Read-only access to the file system, as a port. What cannot be read counts as absent. */
export interface TreeView {
  /** The kind of the entry at the path; a link is not followed. */
  kindOf(path: string): TreeEntryKind | undefined;
  /** The path with all links resolved; `undefined` if it leads nowhere. */
  realPath(path: string): string | undefined;
  /** The target of a link, as written; `undefined` if there is no link. */
  linkTarget(path: string): string | undefined;
  /** The entries of a directory, in no particular order. */
  entries(directory: string): readonly TreeEntry[];
}
