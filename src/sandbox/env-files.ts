import { join } from "node:path";
import type { TreeEntry } from "../base/ports/tree-view.ts";
import { PRODUCED_FOLDERS } from "../base/produced-folders.ts";
import type { SandboxWorld } from "./world.ts";

/** The packages of a monorepo are at the third level; searching everything would take too long. */
const DEPTH_MAX = 3;
const FOLDERS_MAX = 300;

/** Templates are meant to be read. */
const TEMPLATE = /\.(?:example|sample|template|dist|defaults?|schema|ts|js|md)$/u;

interface Folder {
  /** Relative to the root. */
  readonly path: string;
  readonly depth: number;
}

/** A tree's environment files (`.env`, `.env.local`, `.envrc`), relative to its root. */
export function envFiles({ tree }: Pick<SandboxWorld, "tree">, root: string): readonly string[] {
  const found: string[] = [];
  const waiting: Folder[] = [{ path: "", depth: 1 }];
  for (let searched = 0; searched < FOLDERS_MAX; searched++) {
    const folder = waiting.shift();
    if (folder === undefined) break;
    const entries = tree.entries(join(root, folder.path));
    found.push(...entries.filter(isEnvFile).map(({ name }) => join(folder.path, name)));
    waiting.push(...foldersIn(folder, entries));
  }
  return found;
}

function isEnvFile({ name, kind }: TreeEntry): boolean {
  return name.startsWith(".env") && kind !== "directory" && !TEMPLATE.test(name);
}

function foldersIn({ path, depth }: Folder, entries: readonly TreeEntry[]): readonly Folder[] {
  if (depth >= DEPTH_MAX) return [];
  return entries
    .filter(({ name, kind }) => kind === "directory" && !PRODUCED_FOLDERS.has(name))
    .map(({ name }) => ({ path: join(path, name), depth: depth + 1 }));
}
