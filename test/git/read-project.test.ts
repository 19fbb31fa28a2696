import { expect, test } from "vitest";
import { join } from "node:path";
import { emptySubmodules, lfsPointers } from "../../src/evidence/missing/unfetched.ts";
import { isSearched } from "../../src/evidence/missing/searched-files.ts";
import { createRig, value, write, type Rig } from "./rig.ts";

const NOTHING = { setup: [], build: [], verify: [] };

async function projectOf(rig: Rig) {
  const { hub } = rig;
  const at = rig.git(["rev-parse", "HEAD"]).trim();
  return value(await hub.project(at, isSearched));
}

function committed(rig: Rig, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) write(join(rig.hub.directory, path), text);
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "more"]);
}

test("a real submodule is named only if its commit is not in the repository's own copy of it", async () => {
  using rig = createRig();
  const { library, named } = withSubmodule(rig);
  expect(await named()).toEqual([]);
  rig.git(["commit", "--quiet", "--allow-empty", "-m", "more"], library);
  const newer = rig.git(["rev-parse", "HEAD"], library).trim();
  rig.git(["update-index", "--cacheinfo", `160000,${newer},vendor/lib`]);
  rig.git(["commit", "--quiet", "-m", "move lib"]);
  expect(await named()).toEqual(["vendor/lib"]);
});

test("a submodule of a submodule is named if it was never fetched", async () => {
  using rig = createRig();
  const { named } = withSubmodule(rig, { hasNested: true });
  expect(await named()).toEqual(["vendor/lib/deep"]);
  rig.git([...FILE, "submodule", "--quiet", "update", "--init", "--recursive"]);
  expect(await named()).toEqual([]);
});

const FILE = ["-c", "protocol.file.allow=always"];

function withSubmodule(rig: Rig, { hasNested = false } = {}) {
  const library = join(rig.root, "library");
  const deep = join(rig.root, "deep");
  for (const at of [library, deep]) {
    rig.git(["init", "--quiet", at], rig.root);
    rig.git(["commit", "--quiet", "--allow-empty", "-m", "first"], at);
  }
  if (hasNested) {
    rig.git([...FILE, "submodule", "--quiet", "add", deep, "deep"], library);
    rig.git(["commit", "--quiet", "-m", "add deep"], library);
  }
  rig.git([...FILE, "submodule", "--quiet", "add", library, "vendor/lib"]);
  rig.git(["commit", "--quiet", "-m", "add lib"]);
  const named = async () =>
    emptySubmodules(await projectOf(rig), NOTHING).flatMap(({ where }) => where.split(", "));
  return { library, named };
}

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12345\n`;

test("pointers of Git LFS are files with that filter and that text, and no others", async () => {
  using rig = createRig();
  committed(rig, {
    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    "assets/weights.bin": POINTER,
    "assets/small.bin": "not a pointer\n",
    "test/fixtures/pointer.txt": POINTER,
  });
  const facts = await projectOf(rig);
  expect(facts.pointers).toEqual(["assets/weights.bin"]);
  expect(lfsPointers(facts, NOTHING)).toMatchObject([{ kind: "lfs" }]);
});

test("what git ignores is listed file by file, but folders of tools and wisp's own are not entered", async () => {
  using rig = createRig();
  committed(rig, {
    ".gitignore": "node_modules/\ndist/\n.env\n.wisp/sessions\n",
    "src/a.js": "",
    "packages/a/a.js": "",
  });
  for (const path of [
    ".env",
    "packages/a/dist/index.js",
    "node_modules/x/index.js",
    ".wisp/sessions/one/tester.log",
  ])
    write(join(rig.hub.directory, path), "x\n");
  write(join(rig.hub.directory, ".venv/.gitignore"), "*\n");
  write(join(rig.hub.directory, "untracked.txt"), "x\n");
  const { ignored, texts, unread } = await projectOf(rig);
  expect([...ignored].sort()).toEqual([
    ".env",
    ".venv/",
    ".venv/.gitignore",
    "node_modules/",
    "packages/a/dist/",
    "packages/a/dist/index.js",
  ]);
  expect([...texts.keys()]).toEqual(["src/a.js", "packages/a/a.js"]);
  expect(unread).toEqual([]);
});

test("a project with more source than is read says of how many files, and reads those near the root", async () => {
  using rig = createRig();
  const text = "x".repeat(256 * 1024);
  const deep = Array.from({ length: 66 }, (_, at) => `deep/deeper/${String(at)}.js`);
  committed(rig, { ...Object.fromEntries(deep.map((path) => [path, text])), "a.js": "near\n" });
  const { texts, unread } = await projectOf(rig);
  expect(texts.get("a.js")).toBe("near\n");
  expect(unread).toEqual(["3 of the source files"]);
});

test("a person's settings of git, an odd name and a folder that cannot be read as text change nothing", async () => {
  using rig = createRig();
  rig.git(["config", "core.quotePath", "true"]);
  rig.git(["config", "color.ui", "always"]);
  committed(rig, { "ä b\n.js": "x\n" });
  expect((await projectOf(rig)).texts.get("ä b\n.js")).toBe("x\n");
});
