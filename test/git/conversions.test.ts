import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Clone } from "../../src/base/ports/repo.ts";
import { BRANCH, commit, createRig, read, type Rig, value, write } from "./rig.ts";

/*
 * Files that were committed before the attributes that convert them: what git would only convert is no change.
 */

type Content = Readonly<Record<string, string | Buffer>>;

/** Commits files as they are, and then the attributes. */
async function neverNormalised(rig: Rig, files: Content, attributes: string): Promise<Clone> {
  const put = (path: string, content: string | Buffer) => {
    write(join(rig.hub.directory, path), "");
    writeFileSync(join(rig.hub.directory, path), content);
  };
  for (const [path, content] of Object.entries(files)) put(path, content);
  rig.git(["add", "-A"]);
  rig.git(["commit", "-qm", "Files"]);
  put(".gitattributes", attributes);
  rig.git(["add", ".gitattributes"]);
  rig.git(["commit", "-qm", "Attributes"]);
  rig.git(["branch", "-f", BRANCH]);
  return rig.clone("builder");
}

const LINES = "using System;\r\nclass A { }\r\n";
const SOURCES: Content = {
  ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`src/A${String(at)}.cs`, LINES])),
  "All.sln": "\r\nMicrosoft\r\n",
};
const UTF16 = Buffer.from("\uFEFFname,1\r\n", "utf16le");

const CASES: readonly (readonly [string, Content, string])[] = [
  ["text, and eol=crlf", SOURCES, "*.cs text\n*.sln text eol=crlf\n"],
  ["text=auto", SOURCES, "* text=auto\n"],
  ["text=auto eol=lf, and a macro", SOURCES, "[attr]code text eol=lf\n*.cs code\n* text=auto\n"],
  ["crlf, the old name of text", SOURCES, "*.cs crlf\n"],
  ["ident", { "a.c": "/* $Id: a.c,v 1.2 2001 $ */\n" }, "*.c ident\n"],
  ["working-tree-encoding", { "a.csv": UTF16 }, "*.csv text working-tree-encoding=UTF-16\n"],
];

const statusOf = (rig: Rig, clone: Clone) => rig.git(["status", "--porcelain"], clone.directory);
const changedIn = (rig: Rig, sha: string, clone: Clone) =>
  rig.git(["show", "--format=", "--name-only", sha], clone.directory).trim().split("\n");

describe.each(CASES)("with %s", (_name, files, attributes) => {
  test("a new clone has no changes, for wisp and for an engine's git", async () => {
    using rig = createRig();
    const clone = await neverNormalised(rig, files, attributes);
    expect(statusOf(rig, clone)).toBe("");
    expect(value(await clone.isDirty())).toBe(false);
    expect(value(await clone.commitAll("Nothing"))).toBeUndefined();
  });

  test("what was left is committed, and nothing else, wherever the clone was before", async () => {
    using rig = createRig();
    const clone = await neverNormalised(rig, files, attributes);
    const base = value(await clone.head());
    rig.git(["rm", "-q", "-r", "."], clone.directory);
    value(await clone.syncTo(base));
    expect(statusOf(rig, clone)).toBe("");
    write(join(clone.directory, "alpha.txt"), "alpha\n");
    const made = value(await clone.commitAll("Write alpha")) ?? "";
    expect(changedIn(rig, made, clone)).toEqual(["alpha.txt"]);
    write(join(clone.directory, "beta.txt"), "beta\n");
    const squashed = value(await clone.squashSince(base, "Write both")) ?? "";
    expect(changedIn(rig, squashed, clone)).toEqual(["alpha.txt", "beta.txt"]);
    const other = await rig.clone("other");
    value(await other.publish(await commit(other, "other.txt")));
    expect(value(await clone.rebaseOntoHub()).moved).toBe(true);
    expect(value(await clone.isDirty())).toBe(false);
  });

  test("what is written once more as it was is no change, and what is really changed is committed", async () => {
    using rig = createRig();
    const clone = await neverNormalised(rig, files, attributes);
    const [first = "", second = first] = Object.keys(files);
    for (const path of Object.keys(files)) {
      writeFileSync(join(clone.directory, path), contentOf(clone, path));
    }
    expect(value(await clone.commitAll("Nothing"))).toBeUndefined();
    for (const path of new Set([first, second])) {
      writeFileSync(join(clone.directory, path), contentOf(clone, path));
    }
    const before = contentOf(clone, first);
    const more = first.endsWith(".csv")
      ? Buffer.from("more,2\r\n", "utf16le")
      : Buffer.from("more\r\n");
    writeFileSync(join(clone.directory, first), Buffer.concat([before, more]));
    const made = value(await clone.commitAll("Change it")) ?? "";
    expect(changedIn(rig, made, clone)).toEqual([first]);
  });
});

/** What is in the work tree of a clone. */
function contentOf(clone: Clone, path: string): Buffer {
  return Buffer.from(read(join(clone.directory, path), "latin1"), "latin1");
}

test("a new clone with ids of SHA-256 has no changes, either", async () => {
  using rig = createRig();
  rmSync(join(rig.hub.directory, ".git"), { recursive: true });
  rig.git(["init", "--quiet", "--object-format=sha256", "-b", "main"]);
  const clone = await neverNormalised(rig, SOURCES, "*.cs text\n*.sln text eol=crlf\n");
  expect(statusOf(rig, clone)).toBe("");
  expect(value(await clone.isDirty())).toBe(false);
  expect(value(await clone.commitAll("Nothing"))).toBeUndefined();
});

test("line endings alone are no change where the attributes say that they are not stored", async () => {
  using rig = createRig();
  const clone = await neverNormalised(rig, SOURCES, "*.cs text\n");
  write(join(clone.directory, "src", "A1.cs"), LINES.replaceAll("\r", ""));
  expect(value(await clone.commitAll("Nothing"))).toBeUndefined();
  using auto = createRig();
  const stored = await neverNormalised(auto, SOURCES, "* text=auto\n");
  write(join(stored.directory, "src", "A1.cs"), LINES.replaceAll("\r", ""));
  const made = value(await stored.commitAll("Convert")) ?? "";
  expect(changedIn(auto, made, stored)).toEqual(["src/A1.cs"]);
});

describe("with a filter of the person's own", () => {
  const FILTER = '[filter "strip"]\n\tclean = sed /output/d\n\tsmudge = cat\n\trequired = true\n';
  const own = (rig: Rig) => {
    const path = join(rig.root, "home", ".gitconfig");
    write(path, read(path) + FILTER);
  };

  test("what an engine committed through it is not committed again without it", async () => {
    using rig = createRig();
    const clone = await neverNormalised(rig, { "old.nb": "cell\noutput\n" }, "*.nb filter=strip\n");
    own(rig);
    write(join(clone.directory, "new.nb"), "cell\noutput\n");
    rig.git(["add", "new.nb"], clone.directory);
    rig.git(["commit", "-qm", "Add a notebook"], clone.directory);
    expect(value(await clone.commitAll("Nothing"))).toBeUndefined();
    expect(rig.git(["show", "HEAD:new.nb"], clone.directory)).toBe("cell\n");
    expect(value(await clone.isDirty())).toBe(false);
    const other = await rig.clone("other");
    value(await other.publish(await commit(other, "other.txt")));
    expect(value(await clone.rebaseOntoHub()).moved).toBe(true);
  });

  test("wisp commits nothing without it that was left: the engine has to", async () => {
    using rig = createRig();
    const clone = await neverNormalised(rig, { "old.nb": "cell\n" }, "*.nb filter=strip\n");
    own(rig);
    write(join(clone.directory, "new.nb"), "cell\noutput\n");
    write(join(clone.directory, "note.txt"), "note\n");
    const refused = await clone.commitAll("Left over");
    expect(refused.ok ? "" : refused.failure.message).toContain("new.nb");
    expect(rig.git(["log", "--format=%s", "-1"], clone.directory)).toBe("Attributes\n");
    expect(existsSync(join(clone.directory, "new.nb"))).toBe(true);
  });
});
