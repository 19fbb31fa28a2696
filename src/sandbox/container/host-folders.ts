import { dirname, join, relative } from "node:path";
import type { MountFacts } from "../mount-facts.ts";
import { isWithin, type Mount, type Mounts } from "../mounts.ts";
import type { Bind } from "./container-words.ts";

type Planned = readonly [string, Mount];

/**
 * The directories and files of this machine that stand for a plan of mounts in a container. Where the plan has an empty
 * directory, a new one is made below `folder`, with everything in it on which something else is mounted: made by
 * podman or docker, it might belong to root.
 *
 * @param folder absolute path of a directory that is removed and made again
 */
export function hostBinds(facts: MountFacts, mounts: Mounts, folder: string): readonly Bind[] {
  const { directories, files, tree } = facts.world;
  if (tree.kindOf(folder) !== undefined) directories.removeTree(folder);
  files.makeScratchDirectory(folder);
  const planned = mounts.list();
  const binds: Bind[] = [];
  for (const [index, [path, mount]] of planned.entries()) {
    const above = nearestBind(binds, path);
    const copied = copyOf(facts, mount);
    // Of a file that its program replaces by renaming, a copy: that is impossible on a mount.
    if (copied !== undefined && above !== undefined) {
      placeFile(facts, join(above.from, relative(above.to, path)), copied);
      continue;
    }
    const bind = bindOf([path, mount], mounts, join(folder, String(index)));
    if (mount.kind === "empty") files.makeScratchDirectory(bind.from);
    if (above !== undefined && above.from !== above.to) makeMountPoint(facts, above, bind);
    binds.push(bind);
  }
  return binds;
}

function bindOf([path, mount]: Planned, mounts: Mounts, empty: string): Bind {
  switch (mount.kind) {
    case "empty":
      return { from: empty, to: path, isWritable: true };
    case "blank":
      return { from: "/dev/null", to: path, isWritable: false };
    case "read":
    case "write":
      return { from: mount.from ?? path, to: path, isWritable: mount.kind === "write" };
    case "link":
      return { from: mount.to, to: path, isWritable: mounts.kindAt(mount.to) === "write" };
  }
}

function nearestBind(binds: readonly Bind[], path: string): Bind | undefined {
  return binds.findLast(({ to }) => isWithin(path, to));
}

function copyOf({ world }: MountFacts, mount: Mount): Uint8Array | undefined {
  if (mount.kind !== "link" || world.tree.kindOf(mount.to) !== "file") return undefined;
  const read = world.files.read(mount.to);
  return read.ok ? read.value : undefined;
}

/** Makes what a bind is mounted on, in the directory of this machine that is above it. */
function makeMountPoint(facts: MountFacts, above: Bind, { from, to }: Bind): void {
  const { files, tree } = facts.world;
  const point = join(above.from, relative(above.to, to));
  if (tree.kindOf(point) !== undefined) return;
  const real = tree.realPath(from);
  const isFolder = real !== undefined && tree.kindOf(real) === "directory";
  if (isFolder) files.makeScratchDirectory(point);
  else placeFile(facts, point, new Uint8Array());
}

function placeFile({ world: { files } }: MountFacts, path: string, bytes: Uint8Array): void {
  files.makeScratchDirectory(dirname(path));
  files.createScratch(path, bytes);
}
