import { basename, dirname, join } from "node:path";
import type { TreeEntry } from "../base/ports/tree-view.ts";
import { ofAll, protectedInHome } from "./engine-folders.ts";
import type { Mounts } from "./mounts.ts";
import { OPENED_FOLDERS, type OpenedFolder } from "./protected-places.ts";
import type { SandboxWorld } from "./world.ts";

const OPENED = new Map(OPENED_FOLDERS.map((folder) => [folder.path, folder]));

/**
 * Makes a home an empty directory that contains the real one's tool chains. The user's other files are hidden
 * unless something shows them. New files in it disappear with the sandbox.
 */
export function openHome(
  { tree, engines }: Pick<SandboxWorld, "tree" | "engines">,
  mounts: Mounts,
  home: string,
): void {
  const closed = new Set(protectedInHome(engines));
  const open = ({ path: folder, shown }: OpenedFolder) => {
    mounts.set(join(home, folder), { kind: "empty" });
    for (const entry of tree.entries(join(home, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const opened = OPENED.get(path);
      if (closed.has(path)) hideTarget({ tree }, mounts, join(home, path), entry);
      else if (opened !== undefined && entry.kind === "directory") open(opened);
      else if (shown?.has(entry.name) ?? true) showEntry({ tree }, mounts, join(home, path), entry);
    }
  };
  open({ ...OPENED.get(""), path: "" });
  for (const path of ofAll(engines, ({ programs }) => programs)) {
    const beside = tree.entries(join(home, dirname(path)));
    const program = beside.find(({ name }) => name === basename(path));
    if (program !== undefined) showEntry({ tree }, mounts, join(home, path), program);
  }
}

function showEntry(
  { tree }: Pick<SandboxWorld, "tree">,
  mounts: Mounts,
  path: string,
  { kind }: TreeEntry,
): void {
  if (kind === "file" || kind === "directory") mounts.set(path, { kind: "read" });
  const target = kind === "link" ? tree.realPath(path) : undefined;
  if (target !== undefined) mounts.set(path, { kind: "link", to: target });
}

/** Hides the target of a link in a protected place too. */
function hideTarget(
  world: Pick<SandboxWorld, "tree">,
  mounts: Mounts,
  path: string,
  { kind }: TreeEntry,
): void {
  if (kind === "link") hide(world, mounts, path);
}

/** Hides what is at a path; for a link, its target. */
export function hide({ tree }: Pick<SandboxWorld, "tree">, mounts: Mounts, path: string): void {
  const real = tree.realPath(path);
  if (real === undefined) return;
  const kind = tree.kindOf(real);
  if (mounts.kindAt(real) === "empty" || real === "/") return;
  mounts.set(real, { kind: kind === "directory" ? "empty" : "blank" });
}
