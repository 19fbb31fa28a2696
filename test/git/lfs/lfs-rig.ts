import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clone, TreeRepo } from "../../../src/base/ports/repo.ts";
import { createClone } from "../../../src/git/clone/create-clone.ts";
import { openTree } from "../../../src/git/clone/open-tree.ts";
import { createNodeLocks } from "../../../src/host/locks/node-locks.ts";
import { systemClock } from "../../../src/host/system/system-clock.ts";
import { MACHINE_PATH } from "../../rig/own-environment.ts";
import { runsHere } from "../../rig/runs-here.ts";
import { BRANCH, createRig, IDENTITY, read, value, write, type Rig } from "../rig.ts";

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
export interface LfsRig extends Rig {
  /** The folder `lfs` of the person's repository. */
  readonly store: string;
  /** A clone that borrows objects, as in a session whose engines are confined. */
  sharing(name: string): Promise<Clone>;
}

/** Makes the rig; `format` is that of the ids of its objects. */
export function createLfsRig({ format = "sha1" } = {}): LfsRig {
  const rig = createRig();
  rig.git(["lfs", "install", "--skip-repo"], rig.root);
  const { directory } = rig.hub;
  if (format !== "sha1") {
    rmSync(join(directory, ".git"), { recursive: true });
    rig.git(["init", "--quiet", `--object-format=${format}`, "-b", "main"]);
  }
  write(join(directory, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n");
  write(join(directory, "old.bin"), "what was there before\n");
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "large files"]);
  rig.git(["branch", "-f", BRANCH]);
  const locks = createNodeLocks({ files: rig.context.files, clock: systemClock });
  const store = { directory: join(rig.root, "state", ".objects"), locks };
  const sharing = async (name: string) => {
    const place = { hub: rig.hub, branch: BRANCH, session: "first", identity: IDENTITY, store };
    const options = { ...place, directory: join(rig.root, "state", name) };
    return value(await createClone(rig.context, options));
  };
  return { ...rig, store: join(directory, ".git", "lfs"), sharing };
}

/** The verify tree of the rig, opened anew. */
export async function openRigTree(rig: Rig): Promise<TreeRepo> {
  const place = { hub: rig.hub, branch: BRANCH, session: "first", identity: IDENTITY };
  const directory = join(rig.root, "state", "verify", "src");
  return value(await openTree(rig.context, { ...place, directory }));
}

/** Puts a git-lfs before that of the machine, for all that the rig starts from now on. */
export function replaceLfs(rig: Rig, script: string): void {
  const bin = join(rig.root, "bin");
  write(join(bin, "git-lfs"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, "git-lfs"), 0o755);
  Object.assign(rig.context.environment, { PATH: `${bin}:${MACHINE_PATH}` });
}

/** Notes how git-lfs is run from now on: the commands since the last call. */
export function countLfs(rig: Rig): () => readonly string[] {
  const noted = join(rig.root, "lfs-runs");
  replaceLfs(rig, `echo "$1" >>'${noted}'\nPATH='${MACHINE_PATH}' exec git-lfs "$@"`);
  return () => {
    const runs = existsSync(noted) ? read(noted).trim().split("\n") : [];
    rmSync(noted, { force: true });
    return runs;
  };
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
