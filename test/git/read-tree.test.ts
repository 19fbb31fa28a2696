import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Oid } from "../../src/base/oid.ts";
import { TreeReader } from "../../src/git/command/read-tree.ts";
import { parseTree } from "../../src/git/command/raw-output.ts";
import { createRig, write, type Rig } from "./rig.ts";

/** The hub of a rig with some states of its files, and what git and the reader say of them. */
function reading(rig: Rig) {
  const { directory } = rig.hub;
  const git = join(directory, ".git");
  const place = { gitDirectory: git, commonDirectory: git };
  const reader = () => new TreeReader(rig.context.files, place);
  const commit = (change: (at: (name: string) => string) => void) => {
    change((name) => {
      const path = join(directory, name);
      mkdirSync(dirname(path), { recursive: true });
      return path;
    });
    rig.git(["add", "--all"]);
    rig.git(["commit", "--quiet", "--allow-empty", "-m", "Work"]);
    return Oid.parse(rig.git(["rev-parse", "HEAD"]).trim());
  };
  return { reader, commit };
}

const NAMES = ["a", "a.b", "a0", "z/a", "z/a.b/c", "z/a0", "z.txt", "ü/日本", 'odd\n"name"'];

/** States of a repository, each as the changes since the one before. */
function states(rig: Rig): readonly Oid[] {
  const { commit } = reading(rig);
  return [
    commit((at) => {
      for (const name of NAMES) writeFileSync(at(name), `${name}\n`);
    }),
    commit((at) => {
      writeFileSync(at("z/a.b/c"), "changed\n");
      writeFileSync(at("z/a.b/d"), "new\n");
      chmodSync(at("a"), 0o755);
      symlinkSync("a", at("link"));
    }),
    commit((at) => {
      rmSync(at("link"));
      writeFileSync(at("link"), "no link any more\n");
    }),
    commit((at) => {
      rmSync(at("z"), { recursive: true });
    }),
    commit((at) => {
      rmSync(at("a.b"));
      writeFileSync(at("a.b/is/a/folder"), "now\n");
    }),
    commit(() => undefined),
  ];
}

const WORDS = new Map([
  ["A", "added"],
  ["M", "modified"],
  ["D", "deleted"],
]);

/** What git says has changed, and whether it may look for renames. */
function changesByGit(rig: Rig, start: Oid, end: Oid) {
  const printed = rig.git(["diff-tree", "-r", "-z", "--no-renames", "--name-status", start, end]);
  const fields = printed.split("\0").slice(0, -1);
  const changes = fields.flatMap((field, index) => {
    const [status, path = ""] = [WORDS.get(field) ?? "other", fields[index + 1]];
    return index % 2 === 0 ? [{ status, path }] : [];
  });
  const kinds = new Set(changes.map(({ status }) => status));
  return kinds.has("added") && kinds.has("deleted") ? undefined : changes;
}

test("the files of a commit are listed as git lists them", () => {
  using rig = createRig();
  const { reader } = reading(rig);
  for (const at of states(rig)) {
    const listed = parseTree(rig.git(["ls-tree", "-r", "-z", at]));
    expect(reader().filesAt(at)).toEqual(
      listed.map(({ path, oid, mode }) => ({ path, oid, mode })),
    );
  }
});

test("what changed between two commits is as git tells it, unless git would look for renames", () => {
  using rig = createRig();
  const { reader } = reading(rig);
  const all = states(rig);
  const pairs = all.flatMap((start) => all.map((end) => [start, end] as const));
  const read = pairs.map(([start, end]) => reader().changes(start, end));
  expect(read).toEqual(pairs.map(([start, end]) => changesByGit(rig, start, end)));
  expect(read.filter((changes) => changes === undefined).length).toBeGreaterThan(0);
});

test("the entry at a path is found, and a path that is not there is absent", () => {
  using rig = createRig();
  const { reader } = reading(rig);
  const [first = Oid.parse("")] = states(rig);
  const oidOf = (path: string) => rig.git(["rev-parse", `${first}:${path}`]).trim();
  for (const path of NAMES) {
    expect(reader().entryAt(first, path)).toMatchObject({ mode: "100644", oid: oidOf(path) });
  }
  expect(reader().entryAt(first, "z")).toMatchObject({ mode: "40000", oid: oidOf("z") });
  for (const path of ["no", "z/no", "a/no", "z/", "/a", "", "."]) {
    expect(reader().entryAt(first, path)).toBe("absent");
  }
});

test("a submodule is an entry whose commit is not looked for", () => {
  using rig = createRig();
  const { reader } = reading(rig);
  const other = "1".repeat(40);
  rig.git(["update-index", "--add", "--cacheinfo", `160000,${other},sub`]);
  rig.git(["commit", "--quiet", "-m", "Add a submodule"]);
  const head = Oid.parse(rig.git(["rev-parse", "HEAD"]).trim());
  const parent = Oid.parse(rig.git(["rev-parse", "HEAD^"]).trim());
  expect(reader().filesAt(head)).toContainEqual({ path: "sub", oid: other, mode: "160000" });
  expect(reader().changes(parent, head)).toEqual([{ status: "added", path: "sub" }]);
});

test("a tree that is packed, or does not have the content of its name, is left to git", () => {
  using rig = createRig();
  const { reader } = reading(rig);
  write(join(rig.hub.directory, "a/b.txt"), "b\n");
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "Work"]);
  const head = Oid.parse(rig.git(["rev-parse", "HEAD"]).trim());
  const tree = rig.git(["rev-parse", "HEAD:a"]).trim();
  const path = join(rig.hub.directory, ".git", "objects", tree.slice(0, 2), tree.slice(2));
  rmSync(path);
  writeFileSync(path, "planted");
  expect(reader().filesAt(head)).toBeUndefined();
  expect(reader().entryAt(head, "a/b.txt")).toBeUndefined();
  expect(reader().entryAt(head, "readme.md")).toMatchObject({ mode: "100644" });
  rmSync(path);
  expect(reader().filesAt(head)).toBeUndefined();
});
