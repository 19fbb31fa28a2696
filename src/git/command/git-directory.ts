import { join, resolve } from "node:path";
import type { Files } from "../../base/ports/files.ts";

/** The directories in which a repository keeps its files. */
export interface GitDirectory {
  /** HEAD and the index of this work tree. */
  readonly gitDirectory: string;
  /**
   * Holds references, objects and configuration; differs from `gitDirectory` only in a linked work
   * tree.
   */
  readonly commonDirectory: string;
  /** Another folder of objects in which git looks, too, if it is known to us. */
  readonly borrowed?: string | undefined;
}

/** Paths in `.git` files are short; so is HEAD. */
const POINTER_BYTES_MAX = 16 * 1024;

/**
 * Finds the git directory of a work tree by reading files; `undefined` if only git itself can tell.
 */
export function locateGitDirectory(files: Files, top: string): GitDirectory | undefined {
  const gitDirectory = locateOwn(files, join(top, ".git"));
  if (gitDirectory === undefined) return undefined;
  const common = readText(files, join(gitDirectory, "commondir"));
  const commonDirectory =
    common === undefined ? gitDirectory : resolve(gitDirectory, common.trimEnd());
  return { gitDirectory, commonDirectory };
}

/** A small text file in a git directory; `undefined` if it is absent or not readable as one. */
export function readText(files: Files, path: string): string | undefined {
  const read = files.read(path, POINTER_BYTES_MAX);
  if (!read.ok || read.value === undefined) return undefined;
  return Buffer.from(read.value).toString("utf8");
}

function locateOwn(files: Files, dotGit: string): string | undefined {
  if (files.stat(join(dotGit, "HEAD")) !== undefined) return dotGit;
  // A linked work tree and a submodule have a file in place of the directory.
  const pointer = readText(files, dotGit);
  if (pointer?.startsWith("gitdir: ") !== true) return undefined;
  return resolve(dotGit, "..", pointer.slice("gitdir: ".length).trimEnd());
}
