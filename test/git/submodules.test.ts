import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createClone } from "../../src/git/clone/create-clone.ts";
import { openTree } from "../../src/git/clone/open-tree.ts";
import { onFailpoint } from "../../src/base/ports/failpoint.ts";
import { userGit } from "../../src/git/command/git.ts";
import { unfilledSubmodules } from "../../src/git/submodules/walk-submodules.ts";
import { openHub } from "../../src/git/repository/hub.ts";
import type { Clone, TreeRepo } from "../../src/base/ports/repo.ts";
import { BRANCH, createRig, IDENTITY, read, value, write, type Rig } from "./rig.ts";

const FILE = ["-c", "protocol.file.allow=always"];

/** A rig whose branch has the submodule `vendor/lib`, with `deep` in it; each has one commit more than is used. */
function rigWithSubmodules() {
  const rig = createRig();
  const source = (name: string) => join(rig.root, name);
  const commitIn = (name: string, path: string, text: string) => {
    write(join(source(name), path), text);
    rig.git(["add", "--all"], source(name));
    rig.git(["commit", "--quiet", "-m", text], source(name));
    return rig.git(["rev-parse", "HEAD"], source(name)).trim();
  };
  for (const name of ["deep", "lib"])
    rig.git(["init", "--quiet", "-b", "main", source(name)], rig.root);
  commitIn("deep", "deep.txt", "deep\n");
  write(join(source("lib"), ".gitignore"), "out/\n");
  rig.git([...FILE, "submodule", "--quiet", "add", source("deep"), "deep"], source("lib"));
  const one = commitIn("lib", "src/sum.js", "one\n");
  const two = commitIn("lib", "src/sum.js", "two\n");
  rig.git([...FILE, "submodule", "--quiet", "add", source("lib"), "vendor/lib"]);
  rig.git(["checkout", "--quiet", one], join(rig.hub.directory, "vendor/lib"));
  rig.git([...FILE, "submodule", "--quiet", "update", "--init", "--recursive"]);
  rig.git(["-C", "vendor/lib", "checkout", "--quiet", one]);
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "Add lib"]);
  rig.git(["branch", "-f", BRANCH]);
  return { rig, one, two, base: rig.git(["rev-parse", "HEAD"]).trim(), ...opener(rig) };
}

function opener(rig: Rig) {
  const place = () => ({
    ...{ hub: openHub(rig.context, rig.hub.directory), branch: BRANCH, session: "first" },
    ...{ identity: IDENTITY, setup: [] },
  });
  const at = (name: string) => join(rig.root, "state", name);
  const open = async (name = "clone", setup: readonly (readonly string[])[] = []): Promise<Clone> =>
    value(await createClone(rig.context, { ...place(), setup, directory: at(name) }));
  const tree = async (): Promise<TreeRepo> =>
    value(await openTree(rig.context, { ...place(), directory: at("tree") }));
  return { open, tree, at, [Symbol.dispose]: () => rig[Symbol.dispose]() };
}

/** Points the submodule of a clone to another commit, as an engine does without any repository in its folder. */
function moveLink({ rig }: { readonly rig: Rig }, clone: Clone, to: string): string {
  rig.git(["update-index", "--cacheinfo", `160000,${to},vendor/lib`], clone.directory);
  rig.git(["commit", "--quiet", "-m", "Move lib"], clone.directory);
  return rig.git(["rev-parse", "HEAD"], clone.directory).trim();
}

const LIB = "vendor/lib/src/sum.js";
const DEEP = "vendor/lib/deep/deep.txt";

test("a clone has the files of its submodules and of those in them, read-only, and nothing to commit", async () => {
  using at = rigWithSubmodules();
  const clone = await at.open();
  value(await clone.syncTo());
  const [lib, deep] = [LIB, DEEP].map((path) => join(clone.directory, path));
  expect([read(lib ?? ""), read(deep ?? "")]).toEqual(["one\n", "deep\n"]);
  expect(statSync(lib ?? "").mode & 0o222).toBe(0);
  expect(existsSync(join(clone.directory, "vendor/lib/.git"))).toBe(false);
  expect(value(await clone.isDirty())).toBe(false);
  expect(value(await clone.commitAll("left over"))).toBeUndefined();
  value(await clone.clean());
  expect(value(await clone.rescueAndReset())).toEqual({ rescue: undefined });
  expect(read(lib ?? "")).toBe("one\n");
});

test("a clone that was made before it had submodules gets them when it is opened again", async () => {
  using at = rigWithSubmodules();
  const { directory } = value(
    await createClone(at.rig.context, {
      ...{ hub: at.rig.hub, branch: BRANCH, session: "first", identity: IDENTITY },
      directory: at.at("clone"),
    }),
  );
  expect(readdirSync(join(directory, "vendor/lib"))).toEqual([]);
  await at.open();
  expect(read(join(directory, LIB))).toBe("one\n");
});

test("a clone and a verify tree follow a commit that moves a submodule, and one that removes it", async () => {
  using at = rigWithSubmodules();
  const clone = await at.open();
  const tree = await at.tree();
  value(await clone.syncTo());
  const moved = moveLink(at, clone, at.two);
  value(await tree.checkOut(moved, clone));
  expect(read(join(tree.directory, LIB))).toBe("two\n");
  value(await clone.syncTo(moved));
  expect(read(join(clone.directory, LIB))).toBe("two\n");
  at.rig.git(["rm", "--quiet", "-f", "vendor/lib"], clone.directory);
  at.rig.git(["commit", "--quiet", "-m", "Remove lib"], clone.directory);
  const removed = value(await clone.head());
  value(await tree.checkOut(removed, clone));
  expect(existsSync(join(tree.directory, "vendor"))).toBe(false);
  expect(value(await tree.untracked())).toEqual([]);
  value(await clone.syncTo(at.base));
  expect(read(join(clone.directory, LIB))).toBe("one\n");
  value(await clone.syncTo(removed));
  expect(value(await clone.isDirty())).toBe(false);
  expect(existsSync(join(clone.directory, LIB))).toBe(false);
});

test("files of a submodule that an engine took out of the index are not left over", async () => {
  using at = rigWithSubmodules();
  const clone = await at.open();
  value(await clone.syncTo());
  at.rig.git(["rm", "--quiet", "--cached", "vendor/lib"], clone.directory);
  at.rig.git(["commit", "--quiet", "-m", "Forget lib"], clone.directory);
  expect(value(await clone.commitAll("left over"))).toBeUndefined();
  expect(at.rig.git(["ls-files"], clone.directory)).toBe(".gitignore\n.gitmodules\nreadme.md\n");
});

test("a submodule becomes a folder of the repository, in a checkout and in a rebase", async () => {
  using at = rigWithSubmodules();
  const { rig } = at;
  const clone = await at.open();
  value(await clone.syncTo());
  write(join(clone.directory, "own.txt"), "own\n");
  value(await clone.commitAll("own"));
  rig.git(["checkout", "--quiet", "-b", "other", at.base]);
  rig.git(["rm", "--quiet", "-f", "vendor/lib"]);
  write(join(rig.hub.directory, LIB), "ours\n");
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "Vendor lib"]);
  rig.git(["branch", "-f", BRANCH]);
  const { moved } = value(await clone.rebaseOntoHub());
  expect(moved).toBe(true);
  expect(read(join(clone.directory, LIB))).toBe("ours\n");
  expect(existsSync(join(clone.directory, DEEP))).toBe(false);
  expect(value(await clone.isDirty())).toBe(false);
});

test("a verify tree has exactly the files of a submodule, whatever a run did to them", async () => {
  using at = rigWithSubmodules();
  const clone = await at.open();
  const tree = await at.tree();
  value(await tree.checkOut(at.base, clone));
  rmSync(join(tree.directory, LIB));
  write(join(tree.directory, LIB), "forged\n");
  rmSync(join(tree.directory, DEEP));
  write(join(tree.directory, "vendor/lib/out/made.js"), "made\n");
  const again = await at.tree();
  value(await again.checkOut(at.base, clone));
  const files = () => [LIB, DEEP].map((path) => read(join(tree.directory, path)));
  expect(files()).toEqual(["one\n", "deep\n"]);
  // It is the verify tree's user who removes what setup did not make.
  expect(value(await again.untracked())).toEqual(["vendor/lib/out/"]);
  at.rig.git(["init", "--quiet", join(tree.directory, "vendor/lib/deep")]);
  value(await again.checkOut(at.base, clone));
  expect(existsSync(join(tree.directory, "vendor/lib/deep/.git"))).toBe(false);
  expect(files()).toEqual(["one\n", "deep\n"]);
  const hash = at.rig.git(["rev-parse", `${at.base}^{tree}`]).trim();
  expect(value(await again.contentHash(at.base))).toBe(hash);
});

test("a folder in which nothing is filled stays as it is: setup does it, or a link is in its place", async () => {
  using at = rigWithSubmodules();
  const { directory } = await at.open("by-words", [["git", "submodule", "update", "--init"]]);
  expect(readdirSync(join(directory, "vendor/lib"))).toEqual([]);
  const other = await at.open("linked");
  const outside = join(at.rig.root, "outside");
  mkdirSync(join(outside, "lib"), { recursive: true });
  rmSync(join(other.directory, "vendor"), { recursive: true });
  rmSync(`${other.directory}.submodules`, { recursive: true });
  symlinkSync(outside, join(other.directory, "vendor"));
  await at.open("linked");
  expect(readdirSync(join(outside, "lib"))).toEqual([]);
  rmSync(join(outside, "lib"), { recursive: true });
  await at.open("linked");
  expect(readdirSync(outside)).toEqual([]);
});

test("a link that a run put in the place of a folder of a submodule is no part of the next run", async () => {
  using at = rigWithSubmodules();
  const clone = await at.open();
  const tree = await at.tree();
  value(await tree.checkOut(at.base, clone));
  const outside = join(at.rig.root, "outside");
  renameSync(join(tree.directory, "vendor/lib/src"), outside);
  symlinkSync(outside, join(tree.directory, "vendor/lib/src"));
  value(await tree.checkOut(at.base, clone));
  expect(lstatSync(join(tree.directory, "vendor/lib/src")).isDirectory()).toBe(true);
  expect(value(await tree.untracked())).toEqual([]);
  expect(read(join(tree.directory, LIB))).toBe("one\n");
});

test("files elsewhere stay when a submodule goes in which a link leads to them", async () => {
  using at = rigWithSubmodules();
  const clone = await at.open();
  value(await clone.syncTo());
  const outside = join(at.rig.root, "outside");
  renameSync(join(clone.directory, "vendor/lib/src"), outside);
  symlinkSync(outside, join(clone.directory, "vendor/lib/src"));
  at.rig.git(["rm", "--quiet", "--cached", "vendor/lib"], clone.directory);
  write(join(clone.directory, "vendor/lib/own.txt"), "own\n");
  at.rig.git(["add", "vendor/lib/own.txt"], clone.directory);
  at.rig.git(["commit", "--quiet", "-m", "A folder now"], clone.directory);
  value(await clone.commitAll("left over"));
  expect(readdirSync(outside)).toEqual(["sum.js"]);
});

test("files of a submodule do not stay when a commit says no more where it is, or when setup fills it", async () => {
  using at = rigWithSubmodules();
  const { directory } = await at.open();
  const files = () => readdirSync(join(directory, "vendor/lib"));
  const by = [["git", "submodule", "update", "--init"]];
  const full = files();
  expect(full).toContain("src");
  await at.open("clone", by);
  expect(files()).toEqual([]);
  const clone = await at.open();
  expect(files()).toEqual(full);
  at.rig.git(["rm", "--quiet", ".gitmodules"], directory);
  at.rig.git(["commit", "--quiet", "-m", "Forget where"], directory);
  value(await clone.syncTo(value(await clone.head())));
  expect(files()).toEqual([]);
});

test("a submodule that keeps its repository in its own folder is filled, as one was that is gone from the checkout", async () => {
  using at = rigWithSubmodules();
  const { rig } = at;
  rig.git(["submodule", "--quiet", "deinit", "-f", "--all"]);
  const one = await at.open("one");
  expect(read(join(one.directory, DEEP))).toBe("deep\n");
  const folder = join(rig.hub.directory, "vendor/lib");
  rmSync(folder, { recursive: true });
  rig.git(["clone", "--quiet", join(rig.root, "lib"), folder]);
  rmSync(join(rig.hub.directory, ".git/modules"), { recursive: true });
  const two = await at.open("two");
  expect(read(join(two.directory, LIB))).toBe("one\n");
  expect(readdirSync(join(two.directory, "vendor/lib/deep"))).toEqual([]);
});

test("a submodule whose commit is not here stays empty, and is filled once it is", async () => {
  using at = rigWithSubmodules();
  const modules = join(at.rig.hub.directory, ".git/modules/vendor/lib");
  renameSync(join(modules, "objects"), join(modules, "away"));
  mkdirSync(join(modules, "objects"));
  const clone = await at.open();
  expect(readdirSync(join(clone.directory, "vendor/lib"))).toEqual([]);
  rmSync(join(modules, "objects"), { recursive: true });
  renameSync(join(modules, "away"), join(modules, "objects"));
  value(await clone.syncTo());
  expect(read(join(clone.directory, LIB))).toBe("one\n");
});

test("a submodule that was cloned in part stays empty, is named, and nothing is fetched for it", async () => {
  using at = rigWithSubmodules();
  const { rig } = at;
  const source = join(rig.root, "lib");
  rig.git(["config", "uploadpack.allowFilter", "true"], source);
  rig.git(["config", "uploadpack.allowAnySHA1InWant", "true"], source);
  const module = join(rig.hub.directory, ".git/modules/vendor/lib");
  const part = join(rig.root, "part");
  const words = ["clone", "--quiet", "--bare", "--filter=blob:none", `file://${source}`, part];
  rig.git([...FILE, ...words], rig.root);
  rmSync(join(module, "objects"), { recursive: true });
  renameSync(join(part, "objects"), join(module, "objects"));
  for (const [key, setting] of [
    ["remote.origin.promisor", "true"],
    ["remote.origin.partialclonefilter", "blob:none"],
    ["extensions.partialClone", "origin"],
  ] as const) {
    rig.git(["--git-dir", module, "config", key, setting]);
  }
  const packs = readdirSync(join(module, "objects/pack")).sort();
  const clone = await at.open();
  value(await clone.syncTo());
  expect(readdirSync(join(clone.directory, "vendor/lib"))).toEqual([]);
  expect(value(await clone.isDirty())).toBe(false);
  const links = [{ path: "vendor/lib", commit: at.one }];
  const text = read(join(rig.hub.directory, ".gitmodules"));
  const git = userGit(rig.context, rig.hub.directory);
  expect(await unfilledSubmodules(git, rig.context.files, { links, text })).toEqual(["vendor/lib"]);
  expect(readdirSync(join(module, "objects/pack")).sort()).toEqual(packs);
});

test("what was changed in a submodule is kept next to the clone when the submodule moves", async () => {
  using at = rigWithSubmodules();
  const clone = await at.open();
  value(await clone.syncTo());
  rmSync(join(clone.directory, LIB));
  writeFileSync(join(clone.directory, LIB), "mine\n");
  write(join(clone.directory, "vendor/lib/out/made.js"), "made\n");
  value(await clone.syncTo(moveLink(at, clone, at.two)));
  expect(read(join(clone.directory, LIB))).toBe("two\n");
  const kept = join(`${clone.directory}.submodules`, "changed");
  expect(readdirSync(kept)).toEqual(["1-lib"]);
  expect(read(join(kept, "1-lib/src/sum.js"))).toBe("mine\n");
});

test("ids of SHA-256 are as good as others: a verify tree has the files, and writes again what was changed", async () => {
  using rig = createRig();
  const [hub, library] = [join(rig.root, "wide"), join(rig.root, "library")];
  for (const each of [hub, library])
    rig.git(["init", "--quiet", "--object-format=sha256", each], rig.root);
  write(join(library, "a.txt"), "one\n");
  rig.git(["add", "--all"], library);
  rig.git(["commit", "--quiet", "-m", "lib"], library);
  rig.git([...FILE, "submodule", "--quiet", "add", library, "lib"], hub);
  rig.git(["commit", "--quiet", "-m", "Add lib"], hub);
  rig.git(["branch", BRANCH], hub);
  const base = rig.git(["rev-parse", "HEAD"], hub).trim();
  const place = { hub: openHub(rig.context, hub), branch: BRANCH, session: "first" };
  const options = { ...place, identity: IDENTITY, setup: [] };
  const at = (name: string) => join(rig.root, "state", name);
  const clone = value(await createClone(rig.context, { ...options, directory: at("clone") }));
  expect(read(join(clone.directory, "lib/a.txt"))).toBe("one\n");
  const tree = value(await openTree(rig.context, { ...options, directory: at("tree") }));
  value(await tree.checkOut(base, clone));
  const file = join(tree.directory, "lib/a.txt");
  rmSync(file);
  write(file, "forged\n");
  write(join(tree.directory, "lib/made.txt"), "made\n");
  value(await tree.checkOut(base, clone));
  expect(read(file)).toBe("one\n");
  expect(value(await tree.untracked())).toEqual(["lib/made.txt"]);
});

/** What is named before the clone is removed. */
async function heldIn(
  { base }: { readonly base: string },
  clone: Clone,
): Promise<readonly string[]> {
  value(await clone.rescueAndReset());
  return value(await clone.saveBeside(base)).held;
}

test("a clone is released if nothing but wisp wrote in its submodules, and if what was built there is ignored", async () => {
  using at = rigWithSubmodules();
  const clone = await at.open();
  value(await clone.syncTo());
  write(join(clone.directory, "vendor/lib/out/made.js"), "made\n");
  expect(await heldIn(at, clone)).toEqual([]);
});

test.each([
  ["changed", LIB, "files that were changed in the submodule vendor/lib"],
  ["added", "vendor/lib/deep/new.txt", "files that were changed in the submodule vendor/lib/deep"],
])(
  "a file that was %s in a submodule is named before the clone is removed",
  async (_, path, words) => {
    using at = rigWithSubmodules();
    const clone = await at.open();
    value(await clone.syncTo());
    rmSync(join(clone.directory, path), { force: true });
    write(join(clone.directory, path), "mine\n");
    expect(await heldIn(at, clone)).toEqual([words]);
  },
);

test("commits made inside submodules are named before the clone is removed, and those that the repository has are not", async () => {
  using at = rigWithSubmodules();
  const { rig } = at;
  const clone = await at.open("clone", [["git", "submodule", "update"]]);
  const git = (...args: readonly string[]) => rig.git([...FILE, ...args], clone.directory);
  git("submodule", "--quiet", "update", "--init", "--recursive");
  expect(await heldIn(at, clone)).toEqual([]);
  git("-C", DEEP.replace("/deep.txt", ""), "commit", "--quiet", "--allow-empty", "-m", "mine");
  expect(await heldIn(at, clone)).toEqual(["commits in the submodule vendor/lib/deep"]);
  git("-C", "vendor/lib", "commit", "--quiet", "--allow-empty", "-m", "mine");
  git("-C", "vendor/lib", "checkout", "--quiet", at.one);
  expect(await heldIn(at, clone)).toEqual([
    "commits in the submodule vendor/lib",
    "commits in the submodule vendor/lib/deep",
  ]);
});

test("commits in a repository that an engine made in a submodule's folder are named, and no setting of it is used", async () => {
  using at = rigWithSubmodules();
  const clone = await at.open();
  value(await clone.syncTo());
  const folder = join(clone.directory, "vendor/lib");
  at.rig.git(["init", "--quiet", folder]);
  at.rig.git(["add", "--all"], folder);
  at.rig.git(["commit", "--quiet", "-m", "mine"], folder);
  const ran = join(at.rig.root, "ran");
  at.rig.git(["config", "core.fsmonitor", `touch ${ran}; false`], folder);
  expect(await heldIn(at, clone)).toEqual(["commits in the submodule vendor/lib"]);
  expect(existsSync(ran)).toBe(false);
});

test("a submodule that moves costs a command to look for changes and one to write its files, and those that stay cost none", async () => {
  using at = rigWithSubmodules();
  const clone = await at.open();
  value(await clone.syncTo());
  const ran: string[] = [];
  onFailpoint((name) => {
    const [, command] = /^git\.(.*)\.before$/u.exec(name) ?? [];
    if (command !== undefined) ran.push(command);
  });
  try {
    value(await clone.syncTo());
    const settled = ran.splice(0);
    expect(settled.filter((command) => !["status", "fetch"].includes(command))).toEqual([]);
    const moved = moveLink(at, clone, at.two);
    value(await clone.syncTo(moved));
    // One looks for changes in the submodule and one for those in the one within it, and one writes the files of each.
    expect(ran.filter((command) => ["ls-files", "read-tree"].includes(command)).sort()).toEqual([
      "ls-files",
      "ls-files",
      "read-tree",
      "read-tree",
    ]);
  } finally {
    onFailpoint(undefined);
  }
});
