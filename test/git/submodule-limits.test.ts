import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  SUBMODULES_BYTES_MAX,
  SUBMODULES_DEPTH_MAX,
  SUBMODULES_FILLED_MAX,
} from "../../src/base/submodule-limits.ts";
import { emptySubmodules } from "../../src/evidence/missing/unfetched.ts";
import { isSearched } from "../../src/evidence/missing/searched-files.ts";
import { createClone } from "../../src/git/clone/create-clone.ts";
import { openTree } from "../../src/git/clone/open-tree.ts";
import { openHub } from "../../src/git/repository/hub.ts";
import { atGit, noted } from "./noted-clone.ts";
import { BRANCH, createRig, IDENTITY, read, value, write, type Rig } from "./rig.ts";

/*
 * Each limit leaves folders empty in clones and in verify trees, and those are named beforehand.
 */

/** What a commit brings: files, and submodules by their paths. */
interface Made {
  readonly files?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
}

/** Commits to a repository; no submodule has a work tree there. */
function commitIn(rig: Rig, directory: string, { files = {}, links = {} }: Made): string {
  const texts = Object.keys(links).map(
    (path) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = x\n`,
  );
  const all = { ...files, ...(texts.length === 0 ? {} : { ".gitmodules": texts.join("") }) };
  for (const [path, text] of Object.entries(all)) write(join(directory, path), text);
  rig.git(["add", "--all"], directory);
  for (const [path, commit] of Object.entries(links))
    rig.git(["update-index", "--add", "--cacheinfo", `160000,${commit},${path}`], directory);
  rig.git(["commit", "--quiet", "-m", "more"], directory);
  return rig.git(["rev-parse", "HEAD"], directory).trim();
}

function repository(rig: Rig, name: string): string {
  const directory = join(rig.root, name);
  rig.git(["init", "--quiet", "--template=", "-b", "main", directory], rig.root);
  return directory;
}

/** The paths of submodules that `wisp start` names. */
async function named(rig: Rig): Promise<readonly string[]> {
  const head = rig.git(["rev-parse", "HEAD"]).trim();
  const project = value(await rig.hub.project(head, isSearched));
  const empty = emptySubmodules(project, { setup: [], build: [], verify: [] });
  return empty.flatMap(({ where }) => where.split(", "));
}

/** The tops of a clone and of a verify tree. */
async function opened(rig: Rig, context = rig.context): Promise<readonly string[]> {
  rig.git(["branch", "-f", BRANCH]);
  const hub = openHub(context, rig.hub.directory);
  const place = { hub, branch: BRANCH, session: "first", identity: IDENTITY, setup: [] };
  const [clone, tree] = ["clone", "tree"].map((name) => join(rig.root, "state", name));
  const made = value(await createClone(context, { ...place, directory: clone ?? "" }));
  const head = rig.git(["rev-parse", "HEAD"]).trim();
  const judged = value(await openTree(context, { ...place, directory: tree ?? "" }));
  value(await judged.checkOut(head, made));
  return [clone ?? "", tree ?? ""];
}

test("of more submodules than are filled, the last stay empty, and are named", async () => {
  using rig = createRig();
  const library = repository(rig, "library");
  const commit = commitIn(rig, library, { files: { "a.txt": "one\n" } });
  const names = Array.from(
    { length: SUBMODULES_FILLED_MAX + 2 },
    (_, at) => `m${String(at).padStart(3, "0")}`,
  );
  for (const name of names)
    cpSync(join(library, ".git"), join(rig.hub.directory, ".git", "modules", name), {
      recursive: true,
    });
  commitIn(rig, rig.hub.directory, {
    links: Object.fromEntries(names.map((name) => [name, commit])),
  });
  const last = names.slice(SUBMODULES_FILLED_MAX);
  expect(await named(rig)).toEqual(last);
  for (const top of await opened(rig)) {
    expect(names.filter((name) => !existsSync(join(top, name, "a.txt")))).toEqual(last);
    expect(last.map((name) => readdirSync(join(top, name)))).toEqual(last.map(() => []));
  }
});

test("a submodule that is deeper than are filled stays empty, and is named", async () => {
  using rig = createRig();
  const levels = Array.from({ length: SUBMODULES_DEPTH_MAX + 1 }, (_, at) => `l${String(at + 1)}`);
  let inner: string | undefined;
  let modules: string | undefined;
  for (const name of levels.toReversed()) {
    const directory = repository(rig, name);
    const within = `l${String(levels.indexOf(name) + 2)}`;
    const links = inner === undefined ? {} : { [within]: inner };
    inner = commitIn(rig, directory, { files: { "a.txt": `${name}\n` }, links });
    if (modules !== undefined)
      cpSync(modules, join(directory, ".git", "modules", within), { recursive: true });
    modules = join(directory, ".git");
  }
  cpSync(modules ?? "", join(rig.hub.directory, ".git", "modules", "l1"), { recursive: true });
  commitIn(rig, rig.hub.directory, { links: { l1: inner ?? "" } });
  expect(await named(rig)).toEqual([join(...levels)]);
  for (const top of await opened(rig)) {
    const near = join(top, ...levels.slice(0, -1));
    expect(read(join(near, "a.txt"))).toBe(`l${String(SUBMODULES_DEPTH_MAX)}\n`);
    expect(readdirSync(join(top, ...levels))).toEqual([]);
  }
});

/** Commits a file of which git finds the size, and nothing else. */
function commitSized(rig: Rig, directory: string, bytes: number): string {
  const id = "ab".repeat(20);
  const folder = join(directory, ".git", "objects", id.slice(0, 2));
  mkdirSync(folder);
  writeFileSync(join(folder, id.slice(2)), deflateSync(`blob ${String(bytes)}\0`));
  const small = rig.git(["ls-tree", "HEAD"], directory);
  const tree = execFileSync("git", ["mktree"], {
    ...{ cwd: directory, env: rig.context.environment, encoding: "utf8" },
    input: `${small}100644 blob ${id}\tsized.bin\n`,
  });
  return rig.git(["commit-tree", "-m", "sized", tree.trim()], directory).trim();
}

test("submodules whose files are larger together than is filled stay empty, are named, and are not even begun", async () => {
  using rig = createRig();
  const { context } = await noted(rig);
  const began = join(rig.root, "began");
  atGit(rig, "read-tree", `echo "$GIT_WORK_TREE" >>'${began}'`);
  const library = repository(rig, "library");
  const small = commitIn(rig, library, { files: { "a.txt": "one\n" } });
  const large = commitSized(rig, library, SUBMODULES_BYTES_MAX - 7);
  for (const name of ["a", "b", "c"])
    cpSync(join(library, ".git"), join(rig.hub.directory, ".git", "modules", name), {
      recursive: true,
    });
  commitIn(rig, rig.hub.directory, { links: { a: small, b: large, c: small } });
  expect(await named(rig)).toEqual(["b"]);
  const tops = await opened(rig, context);
  for (const top of tops) {
    expect(readdirSync(join(top, "b"))).toEqual([]);
    expect([read(join(top, "a", "a.txt")), read(join(top, "c", "a.txt"))]).toEqual([
      "one\n",
      "one\n",
    ]);
  }
  const written = read(began).split("\n");
  const modules = tops.flatMap((top) => ["a", "b", "c"].map((name) => join(top, name)));
  expect(modules.filter((path) => written.includes(path))).toEqual(
    modules.filter((path) => !path.endsWith("/b")),
  );
});
