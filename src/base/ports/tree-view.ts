/** What is at a path itself. */
export type TreeEntryKind = "file" | "directory" | "link" | "other";

export interface TreeEntry {
  readonly name: string;
  readonly kind: TreeEntryKind;
}

/** Looks at the file system without changing it, as a port. What cannot be looked at is not there. */
export interface TreeView {
  /** What is at the path itself: a link is a link. */
  kindOf(path: string): TreeEntryKind | undefined;
  /** The path without any link in it; undefined where it leads nowhere. */
  realPath(path: string): string | undefined;
  /** What a link says, as it is written; undefined where there is no link. */
  linkTarget(path: string): string | undefined;
  /** What is in a directory, in no order. */
  entries(directory: string): readonly TreeEntry[];
}
