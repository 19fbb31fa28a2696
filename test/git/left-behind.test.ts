import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Clone } from "../../src/base/ports/repo.ts";
import { commit, createRig, read, value, write, type Rig } from "./rig.ts";

/** A clone whose repository ignores what is private, with a file that was published in it. */
async function published(rig: Rig, files: Readonly<Record<string, string>>): Promise<Clone> {
  const ignored = [
    "dist/",
    "*.log",
    "local.json",
    "local_settings.py",
    "seed.txt",
    ".env",
    "/private/",
  ];
  write(join(rig.hub.directory, ".gitignore"), `${ignored.join("\n")}\n`);
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "ignore"]);
  rig.git(["branch", "--force", "wisp/first", "main"]);
  const clone = await rig.clone("builder");
  for (const [path, content] of Object.entries(files).slice(1))
    write(join(clone.directory, path), content);
  const [name = "", content = ""] = Object.entries(files)[0] ?? [];
  value(await clone.publish(await commit(clone, name, content)));
  return clone;
}

/** What is said to be held when the clone is about to be removed. */
async function held(rig: Rig, clone: Clone, made: readonly string[] = []) {
  const base = rig.git(["rev-parse", "main"]).trim();
  value(await clone.rescueAndReset());
  return value(await clone.saveBeside(base, made)).held;
}

const NAMING = [
  ["from the top", "src/app.js", "const path = `${top}/config/local.json`;", "config/local.json"],
  ["from its own folder", "src/app.js", 'read("../config/local.json")', "config/local.json"],
  ["as an import without its end", "src/app.js", 'require("../config/local")', "config/local.json"],
  ["in parts", "src/app.js", 'join(top, "config", "local.json")', "config/local.json"],
  ["next to it", "config/index.js", 'join(__dirname, "local.json")', "config/local.json"],
  ["in a sentence", "README.md", "It reads config/local.json.", "config/local.json"],
  ["at the top", "src/app.js", 'dotenv({ path: ".env" })', ".env"],
  ["as a module", "site/urls.py", "from .local_settings import KEY", "site/local_settings.py"],
  ["in an ignored folder", "src/app.js", 'open("private/key.txt")', "private/key.txt"],
] as const;

test.each(NAMING)("an ignored file that a new file names %s is held", async (_, by, line, path) => {
  using rig = createRig();
  const clone = await published(rig, { [by]: `${line}\n`, [path]: "mine\n" });
  expect(await held(rig, clone)).toEqual([`${path}, which git ignores and ${by} names`]);
  expect(read(join(clone.directory, path))).toBe("mine\n");
});

const NOT_NAMING = [
  ["by its mere name elsewhere", "src/app.js", 'read("local.json")', "config/local.json"],
  ["as a part of a longer name", "src/app.js", "config/local.json.example", "config/local.json"],
  ["below another folder", "src/app.js", '"app/config/local.json"', "config/local.json"],
  ["in a folder that tools make", "package.json", '{ "main": "dist/index.js" }', "dist/index.js"],
  ["among what is left out", "config/.gitignore", "local.json", "config/local.json"],
  ["as what a program prints to", "src/app.js", 'appendTo("var/app.log")', "var/app.log"],
] as const;

test.each(NOT_NAMING)(
  "an ignored file that a new file names %s is not held",
  async (_, by, line, path) => {
    using rig = createRig();
    const clone = await published(rig, { [by]: `${line}\n`, [path]: "mine\n" });
    expect(await held(rig, clone)).toEqual([]);
  },
);

const NAMES_LOCAL = { "src/app.js": 'read("config/local.json")\n', "config/local.json": "mine\n" };

test("an ignored file that the person's checkout has is not held", async () => {
  using rig = createRig();
  const clone = await published(rig, NAMES_LOCAL);
  write(join(rig.hub.directory, "config", "local.json"), "theirs\n");
  expect(await held(rig, clone)).toEqual([]);
});

test("an ignored file that a tree made from the commit alone has is not held", async () => {
  using rig = createRig();
  const clone = await published(rig, NAMES_LOCAL);
  const tree = join(rig.root, "tree");
  expect(await held(rig, clone, [tree])).toHaveLength(1);
  write(join(tree, "config", "local.json"), "made\n");
  expect(await held(rig, clone, [tree])).toEqual([]);
});

test("a file that only the clone's own list of exceptions ignores is held", async () => {
  using rig = createRig();
  const clone = await published(rig, { "src/app.js": 'read("../data/own.txt")\n' });
  write(join(clone.directory, ".git", "info", "exclude"), "own.txt\n");
  write(join(clone.directory, "data", "own.txt"), "mine\n");
  expect(await held(rig, clone)).toEqual(["data/own.txt, which git ignores and src/app.js names"]);
});

test("what was named before the session began is not held", async () => {
  using rig = createRig();
  write(join(rig.hub.directory, "old.js"), 'read("config/local.json")\n');
  const clone = await published(rig, { "new.js": "start()\n", "config/local.json": "mine\n" });
  expect(await held(rig, clone)).toEqual([]);
});

test("no link is followed to what is named", async () => {
  using rig = createRig();
  const clone = await published(rig, { "src/app.js": 'read("private/local.json")\n' });
  write(join(rig.root, "elsewhere", "local.json"), "theirs\n");
  symlinkSync(join(rig.root, "elsewhere"), join(clone.directory, "private"));
  expect(await held(rig, clone)).toEqual([]);
});

test("where more words are new than are searched, ignored files of unknown use are held", async () => {
  using rig = createRig();
  const words = Array.from({ length: 100_001 }, (_, at) => `w.${String(at)}`).join("\n");
  const clone = await published(rig, { "words.txt": words, "dist/a.js": "made\n" });
  expect(await held(rig, clone)).toEqual([]);
  write(join(clone.directory, "seed.txt"), "once\n");
  expect(await held(rig, clone)).toEqual([
    "ignored files, in a session whose changes wisp could not search whole for their names: seed.txt",
  ]);
});
