import { shown } from "./shown.ts";

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "not permitted"],
  ["ENOENT", "it is not there"],
  ["ENOTDIR", "a part of its path is no directory"],
  ["EISDIR", "it is a directory"],
  ["ELOOP", "it is a symbolic link, which wisp does not follow there"],
  ["ENXIO", "it is no regular file"],
  ["EIO", "the disk reports a failure"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EROFS", "the file system is read-only"],
  ["EEXIST", "it is there already"],
  ["ENOTEMPTY", "it is there already"],
  ["EFBIG", "it is too large"],
  ["ELOCKED", "somebody else has held its lock for too long"],
  ["EALTERED", "it was changed, and so was its copy in the session's state directory"],
  ["EMFILE", "too many files are open"],
]);

/** The meaning of a system error name, followed by the name. */
export function errnoWords(errno: string): string {
  const meaning = MEANINGS.get(errno);
  return meaning === undefined ? shown(errno) : `${meaning} (${errno})`;
}
