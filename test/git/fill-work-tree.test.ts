import { execFileSync } from "node:child_process";
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { SHARED_TREE_BYTES_MIN } from "../../src/base/limits.ts";
import type { Directories } from "../../src/base/ports/directories.ts";
import { FileFailure } from "../../src/base/ports/files.ts";
import { fail, ok } from "../../src/base/result.ts";
import { createClone } from "../../src/git/clone/create-clone.ts";
import { openHub } from "../../src/git/repository/hub.ts";
import { createNodeDirectories } from "../../src/host/files/node-directories.ts";
import { BRANCH, createRig, IDENTITY, read, value, write } from "./rig.ts";

const SMALL = "x".repeat(5_000);

/**
 * A hub with one large file, and clones of it on a file system that shares contents as far as one can see: the temporary
 * folder is rarely on one that does. test/process/shared-contents has a real one.
 */
function sharingRig(files: Readonly<Record<string, string>>) {
  const rig = createRig();
  const hub = rig.hub.directory;
  writeFileSync(join(hub, "large.bin"), Buffer.alloc(SHARED_TREE_BYTES_MIN));
  for (const [path, text] of Object.entries(files)) write(join(hub, path), text);
  const publish = () => {
    rig.git(["add", "--all"]);
    rig.git(["commit", "--quiet", "-m", "files"]);
    rig.git(["branch", "-f", BRANCH]);
  };
  const shared: string[] = [];
  const shareFile: Directories["shareFile"] = (from, to, { isExecutable }) => {
    if (!statSync(from, { throwIfNoEntry: false })?.isFile())
      return Promise.resolve(fail(FileFailure({ operation: "create", path: to, errno: "ENOENT" })));
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    chmodSync(to, isExecutable ? 0o755 : 0o644);
    const path = to.replace(/^.*\.making[^/]*\//u, "");
    if (!path.startsWith(".git/")) shared.push(path);
    return Promise.resolve(ok(undefined));
  };
  const context = { ...rig.context, directories: { ...createNodeDirectories(), shareFile } };
  const open = async () => {
    const directory = join(rig.root, "state", "builder");
    const place = { hub: openHub(context, hub), branch: BRANCH, session: "first", directory };
    return value(await createClone(context, { ...place, identity: IDENTITY }));
  };
  const cleanIn = (directory: string) => rig.git(["status", "--porcelain", "--ignored"], directory);
  return {
    hub,
    publish,
    open,
    shared,
    cleanIn,
    [Symbol.dispose]: () => rig[Symbol.dispose](),
  };
}

test("a new clone takes the user's files that are what the commit has, with the commit's rights", async () => {
  using at = sharingRig({ "a.txt": SMALL, "bin/run": SMALL, "small.txt": "small\n" });
  chmodSync(join(at.hub, "bin/run"), 0o755);
  at.publish();
  chmodSync(join(at.hub, "a.txt"), 0o600);
  const { directory } = await at.open();
  expect(at.shared.sort()).toEqual(["a.txt", "bin/run", "large.bin"]);
  expect([read(join(directory, "a.txt")), read(join(directory, "small.txt"))]).toEqual([
    SMALL,
    "small\n",
  ]);
  expect(statSync(join(directory, "a.txt")).mode & 0o777).toBe(0o644);
  expect(statSync(join(directory, "bin/run")).mode & 0o777).toBe(0o755);
  expect(at.cleanIn(directory)).toBe("");
});

test("whatever the user has changed, a new clone has what the commit has", async () => {
  using at = sharingRig({
    "same-size.txt": SMALL,
    "longer.txt": SMALL,
    "gone.txt": SMALL,
    "piped.txt": SMALL,
    "linked.txt": SMALL,
    "folder.txt": SMALL,
  });
  at.publish();
  write(join(at.hub, "same-size.txt"), SMALL.replace("x", "y"));
  write(join(at.hub, "longer.txt"), `${SMALL}more`);
  write(join(at.hub, "untracked.txt"), SMALL);
  for (const name of ["gone.txt", "piped.txt", "linked.txt", "folder.txt"])
    unlinkSync(join(at.hub, name));
  execFileSync("mkfifo", [join(at.hub, "piped.txt")]);
  symlinkSync("untracked.txt", join(at.hub, "linked.txt"));
  write(join(at.hub, "folder.txt/inside"), SMALL);
  const { directory } = await at.open();
  const names = ["same-size", "longer", "gone", "piped", "linked", "folder"];
  const wrong = names.filter((name) => read(join(directory, `${name}.txt`)) !== SMALL);
  expect(wrong).toEqual([]);
  expect(existsSync(join(directory, "untracked.txt"))).toBe(false);
  expect(at.cleanIn(directory)).toBe("");
});

test("a file that a checkout converts is not taken, nor one that differs only in its line ends", async () => {
  const lines = "line\n".repeat(1_000);
  const crlf = lines.replaceAll("\n", "\r\n");
  using at = sharingRig({
    ".gitattributes": "* text=auto\nmarked.txt ident\nwindows.txt eol=crlf\n",
    "marked.txt": `$Id$\n${lines}`,
    "windows.txt": lines,
    "ends.txt": lines,
    "plain.txt": lines,
  });
  at.publish();
  write(join(at.hub, "ends.txt"), crlf);
  const { directory } = await at.open();
  expect(at.shared.sort()).toEqual(["ends.txt", "large.bin", "plain.txt"]);
  expect(read(join(directory, "marked.txt"))).toMatch(/^\$Id: [0-9a-f]{40} \$\n/u);
  expect(read(join(directory, "windows.txt"))).toBe(crlf);
  expect(read(join(directory, "ends.txt"))).toBe(lines);
  expect(read(join(directory, "plain.txt"))).toBe(lines);
  expect(at.cleanIn(directory)).toBe("");
});
