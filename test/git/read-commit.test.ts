import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { Oid } from "../../src/base/oid.ts";
import { readCommit, readHistory } from "../../src/git/command/read-commit.ts";
import { createRig, write, type Rig } from "./rig.ts";

/** The hub of a rig, and what git and the reader say of its commits. */
function reading(rig: Rig, directory = rig.hub.directory) {
  const git = join(directory, ".git");
  const place = { gitDirectory: git, commonDirectory: git };
  const { files } = rig.context;
  const revision = (name: string) =>
    Oid.parse(rig.git(["rev-parse", "--verify", name], directory).trim());
  const commit = (name: string) => {
    write(join(directory, name), `${name}\n`);
    rig.git(["add", "--all"], directory);
    rig.git(["commit", "--quiet", "-m", name], directory);
    return revision("HEAD");
  };
  const pathOf = (oid: Oid) => join(git, "objects", oid.slice(0, 2), oid.slice(2));
  return {
    ...{ revision, commit, pathOf },
    /** What git says of HEAD, its parents apart. */
    described: () => ({
      tree: revision("HEAD^{tree}"),
      committedSeconds: Number(rig.git(["show", "-s", "--format=%ct"], directory)),
    }),
    commitAt: (oid: Oid) => readCommit(files, place, oid),
    between: (from: Oid, to: Oid) => readHistory(files, place, { from, to }),
  };
}

test("a new commit is read from its file as git reads it", () => {
  using rig = createRig();
  const { commit, revision, commitAt, described } = reading(rig);
  const first = revision("HEAD");
  expect(commitAt(first)).toEqual({ ...described(), parents: [] });
  const second = commit("a.txt");
  expect(commitAt(second)).toEqual({ ...described(), parents: [first] });
});

test("a merge has several parents, and no history of one line", () => {
  using rig = createRig();
  const { commit, revision, commitAt, between } = reading(rig);
  const base = revision("HEAD");
  const own = commit("a.txt");
  rig.git(["checkout", "--quiet", "-b", "side", base]);
  const side = commit("b.txt");
  rig.git(["checkout", "--quiet", "main"]);
  rig.git(["merge", "--quiet", "--no-edit", "side"]);
  const merge = revision("HEAD");
  expect(commitAt(merge)?.parents).toEqual([own, side]);
  expect(between(base, merge)).toBeUndefined();
  expect(between(base, side)).toEqual([side]);
});

test("the commits of a range are listed oldest first, as git lists them", () => {
  using rig = createRig();
  const { commit, revision, between } = reading(rig);
  const base = revision("HEAD");
  const commits = ["a", "b", "c", "d"].map((name) => commit(name));
  const head = revision("HEAD");
  const listed = rig
    .git(["rev-list", "--reverse", `${base}..${head}`])
    .trim()
    .split("\n");
  expect(between(base, head)).toEqual(listed);
  expect(between(base, head)).toEqual(commits);
  expect(between(head, head)).toEqual([]);
});

test("a commit that is not on the way, is packed or is absent is left to git", () => {
  using rig = createRig();
  const { commit, revision, commitAt, between } = reading(rig);
  const base = revision("HEAD");
  const head = commit("a.txt");
  // Backwards: the history of the older commit does not contain the newer one.
  expect(between(head, base)).toBeUndefined();
  expect(commitAt("1".repeat(40))).toBeUndefined();
  rig.git(["repack", "--quiet", "-a", "-d"]);
  rig.git(["prune-packed", "--quiet"]);
  expect(commitAt(head)).toBeUndefined();
  expect(between(base, head)).toBeUndefined();
});

test("a history that is longer than the limit is left to git", () => {
  using rig = createRig();
  const { revision, between } = reading(rig);
  const base = revision("HEAD");
  const tree = revision("HEAD^{tree}");
  const add = (parent: Oid, name: string) =>
    Oid.parse(rig.git(["commit-tree", tree, "-p", parent, "-m", name]).trim());
  const chain = [base];
  for (let count = 1; count <= 51; count++) chain.push(add(chain.at(-1) ?? base, String(count)));
  expect(between(base, chain[50] ?? base)).toEqual(chain.slice(1, 51));
  expect(between(base, chain[51] ?? base)).toBeUndefined();
});

test("a repository that names its objects by SHA-256 is read as well", () => {
  using rig = createRig();
  const directory = join(rig.root, "sha256");
  rig.git(["init", "--quiet", "--object-format=sha256", directory], rig.root);
  const { commit, commitAt, described } = reading(rig, directory);
  const first = commit("a.txt");
  expect(first).toHaveLength(64);
  expect(commitAt(first)).toEqual({ ...described(), parents: [] });
});

/** What an engine can put in the place of a commit's file. */
const PLANTED: readonly (readonly [string, (path: string, other: Buffer) => void])[] = [
  ["the content of another commit", (path, other) => writeFileSync(path, deflateSync(other))],
  ["bytes that are not compressed", (path) => writeFileSync(path, "commit 3\0abc")],
  ["nothing", (path) => writeFileSync(path, "")],
  ["a directory", (path) => mkdirSync(path)],
  ["a link", (path) => symlinkSync("/etc/hostname", path)],
  ["far more than a commit", (path) => writeFileSync(path, deflateSync(Buffer.alloc(2 ** 21)))],
];

test.each(PLANTED)("with %s in its place, a commit is left to git", (_, plant) => {
  using rig = createRig();
  const { commit, pathOf, commitAt } = reading(rig);
  const oid = commit("a.txt");
  const body = rig.git(["cat-file", "commit", oid]).replace("a.txt", "b.txt");
  const other = Buffer.from(`commit ${String(body.length)}\0${body}`);
  rmSync(pathOf(oid), { force: true });
  plant(pathOf(oid), other);
  expect(commitAt(oid)).toBeUndefined();
});
