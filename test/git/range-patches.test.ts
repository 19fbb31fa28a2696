import fc from "fast-check";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { parsePatch, parsePatchLog } from "../../src/git/command/patch-lines.ts";
import { blobTexts, rangePatches } from "../../src/git/repository/range-patches.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

function repository() {
  const root = mkdtempSync(join(tmpdir(), "wisp-"));
  roots.push(root);
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...args], {
      cwd: root,
      encoding: "utf8",
    }).trim();
  git("init", "-q");
  const commit = (message: string, files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD");
  };
  const read = async (base: string, head: string) => {
    const context = { environment: ownEnvironment() };
    const patches = await rangePatches(context, { directory: root, base, head });
    if (!patches.ok) throw new Error(patches.failure.message);
    return patches.value;
  };
  return { root, git, commit, read };
}

test("lines, paths, messages and renames are read as git has them, whatever the user's settings", async () => {
  const { root, git, commit, read } = repository();
  for (const [name, value] of [
    ["diff.noprefix", "true"],
    ["diff.mnemonicPrefix", "true"],
    ["diff.context", "5"],
    ["diff.interHunkContext", "9"],
    ["diff.renames", "false"],
    ["color.ui", "always"],
    ["log.showSignature", "true"],
  ] as const)
    git("config", name, value);
  const guide = Array.from({ length: 20 }, (_, n) => `line ${String(n)}\n`).join("");
  const base = commit("base", { "a.txt": "1\n2\n3\n4\n5", "docs/guide.md": guide });
  const odd = 'd/sp ace\t"quo\\te"\nü.txt';
  const first = commit("Subject\n\nBody\n\nReviewed-by: x", {
    "a.txt": "1\ntwo\n3\n4\nfive",
    [odd]: "one\n+++ b/not-a-file\n@@ -1 +1 @@\n\u0001not a header\r\ndiff --git a/x b/x\n",
  });
  git("mv", "docs/guide.md", "guide.md");
  const head = commit("empty line in front\n", { "guide.md": `${guide}more\n` });
  const found = await read(base, head);
  expect(found.isWhole).toBe(true);
  expect(found.commits.map(({ sha, email, message }) => [sha, email, message.trim()])).toEqual([
    [first, "a@b", "Subject\n\nBody\n\nReviewed-by: x"],
    [head, "a@b", "empty line in front"],
  ]);
  const lines = [
    { line: 1, text: "one" },
    { line: 2, text: "+++ b/not-a-file" },
    { line: 3, text: "@@ -1 +1 @@" },
    { line: 4, text: "\u0001not a header\r" },
    { line: 5, text: "diff --git a/x b/x" },
  ];
  const changed = {
    ...{ path: "a.txt", removed: ["2", "5"] },
    added: [
      { line: 2, text: "two" },
      { line: 5, text: "five" },
    ],
  };
  expect(found.commits[0]?.files).toEqual([changed, { path: odd, added: lines, removed: [] }]);
  expect(found.net).toEqual([
    changed,
    { path: odd, added: lines, removed: [] },
    { path: "guide.md", added: [{ line: 21, text: "more" }], removed: [] },
  ]);
  expect(found.entries.map(({ status, path }) => [status, path])).toEqual([
    ["modified", "a.txt"],
    ["added", odd],
    ["renamed", "guide.md"],
  ]);
  const oids = found.entries.flatMap(({ after }) => (after === undefined ? [] : [after]));
  const texts = await blobTexts({ environment: ownEnvironment() }, root, oids);
  expect(texts.get(oids[0] ?? "")).toBe("1\ntwo\n3\n4\nfive");
});

test("a range that is too long is not read whole, and that is known", async () => {
  const { commit, read } = repository();
  const base = commit("base", {});
  const text = `${"x".repeat(79)}\n`.repeat(250_000);
  const head = commit("long", { "a.txt": text });
  expect((await read(base, head)).isWhole).toBe(false);
});

test("any output is parsed to an end", () => {
  const part = fc.constantFrom(
    "diff --git a/a b/a\n",
    "--- a/a\n",
    "+++ b/a\n",
    "@@ -1,2 +3,4 @@\n",
    "+x\n",
    "-x\n",
    "\u0001",
    "\0",
    "\\ No\n",
  );
  const printed = fc
    .array(fc.oneof(part, fc.string({ unit: "binary" })))
    .map((all) => all.join(""));
  fc.assert(
    fc.property(printed, (text) => {
      const logged = parsePatchLog(text).flatMap(({ files }) => files);
      for (const { path } of [...parsePatch(text), ...logged]) expect(path).not.toBe("");
    }),
  );
});
