import { createHash } from "node:crypto";
import { join } from "node:path";
import type { BaseFile, SteeringBase } from "./steering-base.ts";
import type { ListedFiles } from "./steering-index.ts";
import type { SteeredClone } from "./steering-place.ts";

/** Entries of a folder that steers agents; one with more counts as changed. */
const ENTRIES_MAX = 10_000;

/**
 * Whether a file or folder of the work tree is as in the base, byte by byte, with nothing beside it. Links and submodules
 * are the same if the index has those of the base, and what links lead to.
 */
export function isAsInBase(
  clone: SteeredClone,
  { base, index }: { readonly base: SteeringBase; readonly index: ListedFiles },
  root: string,
): boolean {
  const there = entriesBelow(clone, base, root);
  if (there === undefined) return false;
  const files = base.roots.get(root) ?? [];
  const plain = new Map(files.flatMap((file) => (file.through ? [] : [[file.path, file]])));
  const others = [...base.others].filter(([path]) => path === root || path.startsWith(`${root}/`));
  if (there.size !== plain.size + others.length) return false;
  const areOthersSame = others.every(
    ([path, oid]) => there.get(path) === "other" && index.files.get(path)?.oid === oid,
  );
  const leadToSame = files.every(
    ({ through, oid }) => through === undefined || index.files.get(through.to)?.oid === oid,
  );
  return (
    areOthersSame &&
    leadToSame &&
    [...plain.values()].every(
      (file) => there.get(file.path) === "file" && isSame(clone, index, file),
    )
  );
}

/** Every file and link at and below a path; a submodule of the base is not entered. Undefined: there are too many. */
function entriesBelow(
  { context: { directories }, directory }: SteeredClone,
  { others }: SteeringBase,
  root: string,
): ReadonlyMap<string, "file" | "other"> | undefined {
  const found = new Map<string, "file" | "other">();
  const waiting = [root];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = directories.kindOf(join(directory, path));
    const isEntered = kind === "directory" && !others.has(path);
    const listed = isEntered ? directories.entries(join(directory, path)) : undefined;
    if (listed?.ok === true) waiting.push(...listed.value.map(({ name }) => `${path}/${name}`));
    // What cannot be listed counts as something that the base lacks.
    else if (kind !== undefined) found.set(path, kind === "file" ? "file" : "other");
    if (found.size + waiting.length > ENTRIES_MAX) return undefined;
  }
  return found;
}

/** How the pointer of a file under Git LFS begins: its content may be there instead. */
const POINTER = "version https://git-lfs";

function isSame(
  { context: { files }, directory }: SteeredClone,
  index: ListedFiles,
  { path, oid, from, sha256, sizeBytes, isExecutable }: BaseFile,
): boolean {
  const stat = files.stat(join(directory, path));
  if (stat === undefined || stat.isExecutable !== isExecutable) return false;
  if (stat.sizeBytes === sizeBytes) {
    const read = files.read(join(directory, path), sizeBytes);
    if (!read.ok || read.value === undefined) return false;
    return createHash("sha256").update(read.value).digest("hex") === sha256;
  }
  if (index.files.get(path)?.oid !== oid) return false;
  const pointer = files.readChunk(from, 0, POINTER.length);
  return pointer.ok && Buffer.from(pointer.value).toString("latin1") === POINTER;
}
