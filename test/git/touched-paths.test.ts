import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { fileAround, touchedPaths } from "../../src/git/repository/touched-paths.ts";
import { createRig, value, type Rig } from "./rig.ts";

function commit(rig: Rig, files: Readonly<Record<string, string>>, message = "Work"): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(rig.hub.directory, path)), { recursive: true });
    writeFileSync(join(rig.hub.directory, path), text);
  }
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "--allow-empty", "-m", message]);
  return rig.git(["rev-parse", "HEAD"]).trim();
}

test("lists the paths that each commit of a range adds, changes and removes, whatever their names", async () => {
  using rig = createRig();
  const { directory } = rig.hub;
  const base = rig.git(["rev-parse", "HEAD"]).trim();
  const first = commit(rig, { "a b/ü\t.txt": "1", "\nodd": "2", "package.json": "{}" });
  const empty = commit(rig, {}, `\u0001${first}`);
  rmSync(join(directory, "readme.md"));
  const last = commit(rig, {
    [`\u0001${empty}`]: "3",
    ".b": "4",
    "\n.c": "5",
    "package.json": '{"name":"x"}',
  });
  const range = { directory, base, head: last };
  expect(value(await touchedPaths(rig.context, range))).toEqual([
    { sha: first, paths: ["\nodd", "a b/ü\t.txt", "package.json"] },
    { sha: empty, paths: [] },
    { sha: last, paths: [`\u0001${empty}`, "\n.c", ".b", "package.json", "readme.md"] },
  ]);
  expect(value(await touchedPaths(rig.context, { ...range, head: base }))).toEqual([]);
  const manifest = { sha: last, path: "package.json" };
  expect(await fileAround(rig.context, directory, manifest)).toEqual({
    before: "{}",
    after: '{"name":"x"}',
  });
  expect(await fileAround(rig.context, directory, { sha: last, path: "readme.md" })).toEqual({
    before: "one\n",
    after: undefined,
  });
});

test("the changes that a merge brings in count as the merge's", async () => {
  using rig = createRig();
  const { directory } = rig.hub;
  const base = rig.git(["rev-parse", "HEAD"]).trim();
  rig.git(["checkout", "--quiet", "-b", "theirs"]);
  commit(rig, { ".envrc": "x" });
  rig.git(["checkout", "--quiet", "main"]);
  const own = commit(rig, { "own.txt": "x" });
  rig.git(["merge", "--quiet", "--no-edit", "theirs"]);
  const merge = rig.git(["rev-parse", "HEAD"]).trim();
  expect(value(await touchedPaths(rig.context, { directory, base, head: merge }))).toEqual([
    { sha: own, paths: ["own.txt"] },
    { sha: merge, paths: [".envrc"] },
  ]);
});
