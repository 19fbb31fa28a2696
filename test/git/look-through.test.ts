import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Oid } from "../../src/base/oid.ts";
import { TreeReader } from "../../src/git/command/read-tree.ts";
import { lookThrough } from "../../src/git/repository/look-through.ts";
import { createRig, type Rig } from "./rig.ts";

/** The hub of a rig with a few files, looked through after a change. */
function looking(rig: Rig, change: (at: (name: string) => string) => void) {
  const { directory } = rig.hub;
  const at = (name: string) => {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  writeFileSync(at("src/one.js"), "one\n");
  writeFileSync(at("src/deep/run.sh"), "run\n");
  chmodSync(at("src/deep/run.sh"), 0o755);
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "Work"]);
  change(at);
  const git = join(directory, ".git");
  const place = { gitDirectory: git, commonDirectory: git };
  const head = Oid.parse(rig.git(["rev-parse", "HEAD"]).trim());
  const committed = new TreeReader(rig.context.files, place).filesAt(head);
  return committed && lookThrough(rig.context, directory, committed);
}

/** Whether git makes the commit's tree of the files in the work tree, each of which it reads again. */
function isExactByGit(rig: Rig): boolean {
  rmSync(join(rig.hub.directory, ".git", "index"));
  rig.git(["read-tree", "HEAD"]);
  rig.git(["add", "--update", "--", ":/"]);
  return rig.git(["write-tree"]) === rig.git(["rev-parse", "HEAD^{tree}"]);
}

function untrackedByGit(rig: Rig): readonly string[] {
  const printed = rig.git(["ls-files", "--others", "--directory", "-z"]);
  return printed.split("\0").slice(0, -1).sort();
}

type Change = (at: (name: string) => string) => void;

const CHANGES: readonly (readonly [string, Change, boolean])[] = [
  ["nothing", () => undefined, true],
  ["a file's bytes", (at) => writeFileSync(at("src/one.js"), "two\n"), false],
  [
    "a file's bytes, with the time that it had",
    (at) => {
      writeFileSync(at("src/one.js"), "two\n");
      utimesSync(at("src/one.js"), 1, 1);
    },
    false,
  ],
  ["a file's line endings", (at) => writeFileSync(at("src/one.js"), "one\r\n"), false],
  ["the right to execute", (at) => chmodSync(at("src/one.js"), 0o755), false],
  ["the right to execute, taken away", (at) => chmodSync(at("src/deep/run.sh"), 0o644), false],
  ["a missing file", (at) => rmSync(at("src/one.js")), false],
  ["a missing folder", (at) => rmSync(at("src/deep"), { recursive: true }), false],
  [
    "a link to the same content",
    (at) => {
      writeFileSync(at("elsewhere.js"), "one\n");
      rmSync(at("src/one.js"));
      symlinkSync("../elsewhere.js", at("src/one.js"));
    },
    false,
  ],
  [
    "a link to the same folder",
    (at) => {
      writeFileSync(at("elsewhere/run.sh"), "run\n");
      chmodSync(at("elsewhere/run.sh"), 0o755);
      rmSync(at("src/deep"), { recursive: true });
      symlinkSync("../elsewhere", at("src/deep"));
    },
    false,
  ],
  [
    "new files and folders",
    (at) => {
      writeFileSync(at("src/new.js"), "new\n");
      writeFileSync(at("node_modules/a/index.js"), "ignored\n");
      writeFileSync(at("new/er/one.js"), "new\n");
      mkdirSync(at("src/empty"));
      symlinkSync("nowhere", at("src/link"));
    },
    true,
  ],
];

test.each(CHANGES)("sees as git does: %s", (_, change, isExact) => {
  using rig = createRig();
  expect(looking(rig, change)).toEqual({ isExact, untracked: untrackedByGit(rig) });
  expect(isExactByGit(rig)).toBe(isExact);
});

const LEFT_TO_GIT: readonly (readonly [string, Change])[] = [
  [
    "a folder in the place of a file",
    (at) => {
      rmSync(at("src/one.js"));
      writeFileSync(at("src/one.js/two.js"), "two\n");
    },
  ],
  ["a repository inside", (at) => writeFileSync(at("src/.git/HEAD"), "ref: refs/heads/main\n")],
  [
    "a name that is not UTF-8",
    (at) => writeFileSync(Buffer.from(`${at("bad")}\xff`, "latin1"), ""),
  ],
  [
    "very many files",
    (at) => {
      for (let index = 0; index < 1_200; index++) writeFileSync(at(`src/${String(index)}`), "");
    },
  ],
];

test.each(LEFT_TO_GIT)("leaves to git: %s", (_, change) => {
  using rig = createRig();
  expect(looking(rig, change)).toBeUndefined();
});

test("leaves to git a commit with a link", () => {
  using rig = createRig();
  symlinkSync("readme.md", join(rig.hub.directory, "link"));
  expect(looking(rig, () => undefined)).toBeUndefined();
});
