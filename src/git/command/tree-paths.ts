/**
 * Names that git gives no file or folder of a work tree: none, the folder itself, the one above it, and `.git` in the
 * spellings that some file system takes for it. An index or a tree that is made by hand may have them.
 */
const NO_NAME = /^(?:\.{0,2}|(?:\.git|git~1)[ .]*(?:[\\:].*)?)$/isu;

/** Whether a name in a tree can be that of a file or folder in a work tree. */
export function isTreeName(name: string): boolean {
  return !NO_NAME.test(name);
}

/** Whether a path is below the top of a work tree and outside `.git`, for git and for the file system. */
export function isTreePath(path: string): boolean {
  return path.split("/").every(isTreeName);
}
