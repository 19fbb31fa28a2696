import { join } from "node:path";
import type { CloneRepo } from "./clone-repo.ts";

/** Folders that are looked through, however many an engine may have made. */
const FOLDERS_MAX = 10_000;

/**
 * What a clone holds that wisp can neither publish nor save, in words: the content of files under git-annex, which only
 * git-annex can take elsewhere. Empty if there is nothing of the kind. Reads names alone.
 */
export function unkeepable({ location, context }: CloneRepo): readonly string[] {
  const annex = join(location.gitDirectory, "annex", "objects");
  return hasFile(context, annex) ? ["content of git-annex, in .git/annex/objects"] : [];
}

/** Whether there is a regular file anywhere below a folder; true if there is too much to look through. */
function hasFile({ directories }: CloneRepo["context"], top: string): boolean {
  const waiting = [top];
  for (let seen = 0; seen < FOLDERS_MAX; seen++) {
    const folder = waiting.pop();
    if (folder === undefined) return false;
    const isFolder = directories.kindOf(folder) === "directory";
    const listed = isFolder ? directories.entries(folder) : undefined;
    const entries = listed?.ok === true ? listed.value : [];
    if (entries.some(({ kind }) => kind === "file")) return true;
    const below = entries.filter(({ kind }) => kind === "directory");
    waiting.push(...below.map(({ name }) => join(folder, name)));
  }
  return true;
}
