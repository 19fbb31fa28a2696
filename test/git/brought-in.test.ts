import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { BROUGHT_BLOB_BYTES_MAX } from "../../src/base/limits.ts";
import { broughtIn } from "../../src/git/clone/brought-in.ts";
import { userEnvironment } from "../../src/git/command/git-environment.ts";
import { gitIn } from "../../src/git/command/git.ts";
import { BRANCH, createRig, value, write, type Rig } from "./rig.ts";

/** The content of the person's repository at HEAD, with any author and time. */
function commit(rig: Rig, message = "Work", settings: readonly string[] = []): string {
  rig.git(["add", "--all"]);
  rig.git([...settings, "commit", "--quiet", "--allow-empty", "-m", message]);
  return head(rig);
}

function head(rig: Rig): string {
  return rig.git(["rev-parse", "HEAD"]).trim();
}

function link(rig: Rig, path: string, target: string): void {
  const at = join(rig.hub.directory, path);
  mkdirSync(dirname(at), { recursive: true });
  rmSync(at, { force: true });
  symlinkSync(target, at);
}

/** A sparse file of this many bytes. */
function sized(rig: Rig, path: string, bytes: number, first = ""): void {
  const at = join(rig.hub.directory, path);
  write(at, first);
  truncateSync(at, bytes);
}

function look(rig: Rig, start: string, end = head(rig)) {
  const { environment } = rig.context;
  const { directory } = rig.hub;
  return broughtIn(gitIn(directory, userEnvironment(environment, directory)), { start, end });
}

const ODD = `new\nline "quoted"\t'\u001B[31m ü -> x`;

test("reports links that leave the tree with their targets and the commits that added them, whatever their names", async () => {
  using rig = createRig();
  link(rig, "old", "/etc/hosts");
  link(rig, "gone", "/etc/hosts");
  link(rig, "a/b/up", "../..");
  const start = commit(rig);
  link(rig, "in", "a/b");
  link(rig, `d/${ODD}`, `/etc/${ODD}`);
  const first = commit(rig);
  link(rig, "a/b/sly", "up/../x");
  link(rig, "a/b/up", "../../");
  rmSync(join(rig.hub.directory, "gone"));
  link(rig, "brief", "../../out");
  const second = commit(rig);
  rmSync(join(rig.hub.directory, "brief"));
  link(rig, "in", "a/b/../../..");
  link(rig, "long", `${"x/".repeat(200)}${"a".repeat(200)}`);
  const third = commit(rig);
  const { links } = value(await look(rig, start));
  expect(links).toEqual([
    { path: "a/b/sly", target: "up/../x", end: "outside", commit: second },
    { path: `d/${ODD}`, target: `/etc/${ODD}`, end: "absolute", commit: first },
    { path: "in", target: "a/b/../../..", end: "outside", commit: third },
  ]);
  expect(value(await look(rig, start, start))).toMatchObject({ links: [], commits: [] });
});

test("follows names and targets that are not UTF-8", async () => {
  using rig = createRig();
  const start = head(rig);
  const root = Buffer.from(`${rig.hub.directory}/`);
  const [one, other] = [Buffer.from([0x6c, 0xff]), Buffer.from([0x6c, 0xfe])];
  mkdirSync(join(rig.hub.directory, "d"));
  symlinkSync("..", Buffer.concat([root, Buffer.from("d/"), one]));
  symlinkSync(".", Buffer.concat([root, Buffer.from("d/"), other]));
  symlinkSync(
    Buffer.concat([one, Buffer.from("/../x")]),
    Buffer.concat([root, Buffer.from("d/through-one")]),
  );
  symlinkSync(
    Buffer.concat([other, Buffer.from("/../x")]),
    Buffer.concat([root, Buffer.from("d/through-other")]),
  );
  const sha = commit(rig);
  expect(value(await look(rig, start)).links).toEqual([
    { path: "d/through-one", target: "l\uFFFD/../x", end: "outside", commit: sha },
  ]);
});

test("files above the limit are reported once, even if deleted later; a pointer to a large file is small", async () => {
  using rig = createRig();
  const start = head(rig);
  sized(rig, "right.bin", BROUGHT_BLOB_BYTES_MAX);
  sized(rig, "over.bin", BROUGHT_BLOB_BYTES_MAX + 1);
  write(
    join(rig.hub.directory, "pointer.bin"),
    `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 99999999999\n`,
  );
  const first = commit(rig);
  rmSync(join(rig.hub.directory, "over.bin"));
  sized(rig, `copy/${ODD}`, BROUGHT_BLOB_BYTES_MAX + 1);
  commit(rig);
  rmSync(join(rig.hub.directory, "copy"), { recursive: true });
  sized(rig, ODD, BROUGHT_BLOB_BYTES_MAX * 2, "other");
  const last = commit(rig);
  expect(value(await look(rig, start)).blobs).toEqual([
    { path: "over.bin", bytes: BROUGHT_BLOB_BYTES_MAX + 1, commit: first },
    { path: ODD, bytes: BROUGHT_BLOB_BYTES_MAX * 2, commit: last },
  ]);
});

test("a merge brings in its branch and its own additions; a submodule is reported", async () => {
  using rig = createRig();
  const start = head(rig);
  rig.git(["checkout", "--quiet", "-b", "theirs"]);
  link(rig, "theirs", "/etc");
  sized(rig, "theirs.bin", BROUGHT_BLOB_BYTES_MAX + 1);
  const theirs = commit(rig, "Theirs", ["-c", "user.email=eve@example.org", "-c", "user.name=Eve"]);
  rig.git(["checkout", "--quiet", "main"]);
  write(join(rig.hub.directory, "own.txt"), "own\n");
  const own = commit(rig);
  rig.git(["merge", "--quiet", "--no-commit", "--no-ff", "theirs"]);
  link(rig, "evil", "../../evil");
  sized(rig, "evil.bin", BROUGHT_BLOB_BYTES_MAX + 1, "evil");
  rig.git(["add", "--all"]);
  rig.git(["update-index", "--add", "--cacheinfo", `160000,${own},vendor/lib`]);
  rig.git(["commit", "--quiet", "-m", "Merge"]);
  const merge = head(rig);
  // Settings of the person for their own display do not matter.
  for (const [name, set] of [
    ["diff.ignoreSubmodules", "all"],
    ["diff.renames", "copies"],
    ["log.showRoot", "false"],
    ["log.diffMerges", "off"],
    ["log.showSignature", "true"],
    ["core.abbrev", "4"],
    ["i18n.logOutputEncoding", "latin1"],
    ["diff.noprefix", "true"],
  ] as const) {
    rig.git(["config", name, set]);
  }
  const brought = value(await look(rig, start));
  expect(brought.links).toEqual([
    { path: "evil", target: "../../evil", end: "outside", commit: merge },
    { path: "theirs", target: "/etc", end: "absolute", commit: theirs },
  ]);
  expect(brought.blobs.map(({ path, commit: sha }) => [path, sha])).toEqual([
    ["theirs.bin", theirs],
    ["evil.bin", merge],
  ]);
  expect(brought.submodules).toEqual([{ path: "vendor/lib", commit: merge }]);
  expect(new Set(brought.commits.map(({ sha }) => sha))).toEqual(new Set([own, theirs, merge]));
});

test("an old link that a merge brings in is reported too, without a commit", async () => {
  using rig = createRig();
  link(rig, "old", "/etc");
  const before = commit(rig);
  rmSync(join(rig.hub.directory, "old"));
  const start = commit(rig);
  const made = rig
    .git(["commit-tree", `${before}^{tree}`, "-p", start, "-p", before, "-m", "Merge"])
    .trim();
  expect(value(await look(rig, start, made)).links).toEqual([
    { path: "old", target: "/etc", end: "absolute", commit: undefined },
  ]);
});

test("a link whose target is longer than any path is not read, and not reported to stay inside", async () => {
  using rig = createRig();
  const start = head(rig);
  write(join(rig.root, "target"), "x/".repeat(3_000));
  const oid = rig.git(["hash-object", "-w", join(rig.root, "target")]).trim();
  rig.git(["update-index", "--add", "--cacheinfo", `120000,${oid},l`]);
  rig.git(["commit", "--quiet", "-m", "Link"]);
  expect(value(await look(rig, start)).links).toEqual([
    { path: "l", target: "", end: "unknown", commit: head(rig) },
  ]);
});

test("the author and the time of a commit are reported as recorded in it", async () => {
  using rig = createRig();
  const start = head(rig);
  const { environment } = rig.context;
  const { directory } = rig.hub;
  const git = gitIn(directory, userEnvironment(environment, directory));
  const variables = {
    GIT_AUTHOR_NAME: "Ève \u001B[31m «x»",
    GIT_AUTHOR_EMAIL: "eve@example.org",
    GIT_AUTHOR_DATE: "2001-02-03T04:05:06Z",
    GIT_COMMITTER_DATE: "2040-01-01T00:00:00+0900",
  };
  const tree = rig.git(["rev-parse", "HEAD^{tree}"]).trim();
  const args = ["commit-tree", tree, "-p", start, "-m", "\u0001: 100644 odd"];
  const end = value(await git.must(args, { variables })).trim();
  const { commits, startMs } = value(await look(rig, start, end));
  expect(commits).toEqual([
    {
      sha: end,
      author: {
        name: "Ève \u001B[31m «x»",
        email: "eve@example.org",
        atMs: Date.UTC(2001, 1, 3, 4, 5, 6),
      },
      committer: {
        name: "Ada Lovelace",
        email: "ada@example.org",
        atMs: Date.UTC(2039, 11, 31, 15),
      },
    },
  ]);
  const seconds = rig.git(["log", "-1", "--format=%ct", start]).trim();
  expect(startMs).toBe(Number(seconds) * 1_000);
});

test("a clone reads only what it has, in a few commands, even for ten thousand files", async () => {
  using rig = createRig();
  const clone = await rig.clone("r");
  const start = value(await clone.head());
  for (let index = 0; index < 10_000; index++) {
    const path = join(clone.directory, "many", String(index % 100), `${String(index)}.txt`);
    if (index < 100) mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${String(index)}\n`);
  }
  symlinkSync("../../hub", join(clone.directory, "many", "l"));
  await clone.commitAll("many");
  const end = value(await clone.head());
  const { links, blobs, submodules, commits } = value(await clone.broughtIn(start, end));
  expect({ links, blobs, submodules }).toEqual({
    links: [{ path: "many/l", target: "../../hub", end: "outside", commit: end }],
    blobs: [],
    submodules: [],
  });
  expect(commits.map(({ author }) => author.email)).toEqual(["ada@example.org"]);
  expect(rig.git(["rev-parse", BRANCH]).trim()).toBe(start);
});
