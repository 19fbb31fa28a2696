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

test("a real submodule, complete in the checkout, is found empty in every copy", async () => {
  using rig = createRig();
  const library = join(rig.root, "library");
  rig.git(["init", "--quiet", library], rig.root);
  rig.git(["commit", "--quiet", "--allow-empty", "-m", "lib"], library);
  const add = ["submodule", "add", "--quiet", library, "vendor/lib"];
  rig.git(["-c", "protocol.file.allow=always", ...add]);
  rig.git(["commit", "--quiet", "-m", "add lib"]);
  expect(emptySubmodules(await projectOf(rig), NOTHING)).toMatchObject([
    { kind: "submodule", where: "vendor/lib" },
  ]);
});

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
