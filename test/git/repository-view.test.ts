import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import { locateGitDirectory } from "../../src/git/command/git-directory.ts";
import {
  repositoryChanges,
  RepositoryReader,
  type RepositoryView,
} from "../../src/git/repository/repository-view.ts";
import { createNodeFiles } from "../../src/host/files/node-files.ts";
import { scratch, type Scratch } from "../host/scratch.ts";

const files = createNodeFiles();

/** A repository with one commit and an additional branch. */
function repository(directory: Scratch) {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], {
      cwd: directory.path,
      encoding: "utf8",
    }).trim();
  git("init", "-q", "-b", "main");
  writeFileSync(directory.at("file"), "text\n");
  git("add", "file");
  git("commit", "-qm", "Start");
  git("branch", "other");
  const at = present(locateGitDirectory(files, directory.path), "a repository");
  return {
    git,
    reader: new RepositoryReader(files, at),
    path: (name: string) => join(at.gitDirectory, name),
  };
}

function viewOf(reader: RepositoryReader): RepositoryView {
  const view = reader.read();
  if (typeof view === "string") throw new Error(view);
  return view;
}

type Repository = ReturnType<typeof repository>;

test.each<[string, (at: Repository) => void, readonly (readonly [string, string])[]]>([
  ["nothing", () => undefined, []],
  [
    "a branch moved",
    ({ git }) => git("branch", "-f", "other", git("commit-tree", "-m", "x", "HEAD^{tree}")),
    [["refs/heads/other", "changed"]],
  ],
  [
    "a branch removed",
    ({ git }) => git("branch", "-D", "other"),
    [["refs/heads/other", "removed"]],
  ],
  ["a tag", ({ git }) => git("tag", "v1"), [["refs/tags/v1", "added"]]],
  ["references packed", ({ git }) => git("pack-refs", "--all"), []],
  ["HEAD", ({ git }) => git("symbolic-ref", "HEAD", "refs/heads/other"), [["HEAD", "changed"]]],
  [
    "a hook",
    ({ path }) => writeFileSync(path("hooks/post-merge"), "true\n"),
    [["hooks/post-merge", "added"]],
  ],
  ["settings", ({ git }) => git("config", "a.b", "c"), [["config", "changed"]]],
  [
    "ignored paths",
    ({ path }) => appendFileSync(path("info/exclude"), "x\n"),
    [["info/exclude", "changed"]],
  ],
  [
    "attributes",
    ({ path }) => writeFileSync(path("info/attributes"), "* -diff\n"),
    [["info/attributes", "added"]],
  ],
  [
    "borrowed objects",
    ({ path }) => writeFileSync(path("objects/info/alternates"), "/tmp\n"),
    [["objects/info/alternates", "added"]],
  ],
  ["staged changes", ({ git }) => git("rm", "-q", "--cached", "file"), [["index", "changed"]]],
  [
    "only times",
    ({ git, path }) => {
      writeFileSync(join(path(".."), "file"), "text\n");
      git("status");
    },
    [],
  ],
  ["a rescue reference", ({ git }) => git("update-ref", "refs/wisp/rescue/s/1", "HEAD"), []],
])("reports what changed in %s", (_, change, expected) => {
  using directory = scratch();
  const at = repository(directory);
  const before = viewOf(at.reader);
  change(at);
  const changes = repositoryChanges(before, viewOf(at.reader), (ref) =>
    ref.startsWith("refs/wisp/"),
  );
  expect(changes.map(({ place, how }) => [place, how])).toEqual(expected);
});

test("a change of a reference is reported with its old and its new value", () => {
  using directory = scratch();
  const { git, reader } = repository(directory);
  const was = git("rev-parse", "other");
  git("pack-refs", "--all");
  const before = viewOf(reader);
  const now = git("commit-tree", "-m", "x", "HEAD^{tree}");
  git("branch", "-f", "other", now);
  expect(repositoryChanges(before, viewOf(reader), () => false)).toEqual([
    { place: "refs/heads/other", how: "changed", was, now },
  ]);
});

test("a repository with references in tables is reported as such", () => {
  using directory = scratch();
  const { reader, path } = repository(directory);
  mkdirSync(path("reftable"));
  writeFileSync(path("reftable/tables.list"), "");
  expect(reader.read()).toContain("reftable");
});

test("a folder of references that is a file, or loops, is read without harm", () => {
  using directory = scratch();
  const { reader, path } = repository(directory);
  rmSync(path("refs/tags"), { recursive: true });
  writeFileSync(path("refs/tags"), "x");
  rmSync(path("hooks"), { recursive: true, force: true });
  expect(typeof reader.read()).toBe("object");
});
