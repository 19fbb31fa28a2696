import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clone } from "../../../src/base/ports/repo.ts";
import { runsHere } from "../../rig/runs-here.ts";
import { BRANCH, createRig, value, write, type Rig } from "../rig.ts";

/** Whether git-lfs is on this machine; CI installs it. */
export const HAS_LFS = runsHere(["git", "lfs", "version"]);

/** A file that is kept under Git LFS. */
export interface LfsFile {
  readonly sha256: string;
  readonly pointer: string;
}

/** The pointer that git-lfs makes of a content. */
export function pointerTo(content: string | Uint8Array): LfsFile {
  const sha256 = createHash("sha256").update(content).digest("hex");
  const size = String(Buffer.byteLength(content));
  const version = "version https://git-lfs.github.com/spec/v1";
  return { sha256, pointer: `${version}\noid sha256:${sha256}\nsize ${size}\n` };
}

/** Where a content is below a folder `lfs`. */
export function contentIn(lfs: string, sha256: string): string {
  return join(lfs, "objects", sha256.slice(0, 2), sha256.slice(2, 4), sha256);
}

/** The content of a pointer in a folder `lfs`; undefined if it is not there. */
export function stored(lfs: string, { sha256 }: LfsFile): string | undefined {
  const path = contentIn(lfs, sha256);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** A rig whose person has run `git lfs install`, and whose repository keeps `*.bin` under Git LFS. */
export function createLfsRig(): Rig & { readonly store: string } {
  const rig = createRig();
  rig.git(["lfs", "install", "--skip-repo"], rig.root);
  const { directory } = rig.hub;
  write(join(directory, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n");
  write(join(directory, "old.bin"), "what was there before\n");
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "large files"]);
  rig.git(["branch", "-f", BRANCH]);
  return { ...rig, store: join(directory, ".git", "lfs") };
}

/** Writes and commits a file as an engine does, with git-lfs in the clone. */
export async function commitLfs(
  rig: Rig,
  clone: Clone,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    write(join(clone.directory, name), "");
    writeFileSync(join(clone.directory, name), content);
  }
  rig.git(["add", "--", ...Object.keys(files)], clone.directory);
  rig.git(["commit", "--quiet", "-m", "add large files"], clone.directory);
  return value(await clone.head());
}
