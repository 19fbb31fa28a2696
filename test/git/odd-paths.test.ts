import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BRANCH, createRig, value, write, type Rig } from "./rig.ts";
import { createLfsRig, HAS_LFS, pointerTo } from "./lfs/lfs-rig.ts";
import type { Clone } from "../../src/base/ports/repo.ts";

/** An index with these entries, as no git makes it. */
function indexWith(entries: readonly { readonly path: string; readonly oid: string }[]): Buffer {
  const parts = [Buffer.from("DIRC\0\0\0\x02\0\0\0\0", "latin1")];
  parts[0]?.writeUInt32BE(entries.length, 8);
  for (const { path, oid } of [...entries].sort((one, other) => (one.path < other.path ? -1 : 1))) {
    const name = Buffer.from(path);
    const entry = Buffer.alloc(Math.ceil((62 + name.length + 1) / 8) * 8);
    entry.writeUInt32BE(0o100_644, 24);
    Buffer.from(oid, "hex").copy(entry, 40);
    entry.writeUInt16BE(name.length, 60);
    name.copy(entry, 62);
    parts.push(entry);
  }
  const whole = Buffer.concat(parts);
  return Buffer.concat([whole, createHash("sha1").update(whole).digest()]);
}

/** Adds an entry to the index of a clone by its bytes. */
function plantEntry(rig: Rig, clone: Clone, path: string, content: string): void {
  const oid = execFileSync("git", ["hash-object", "-w", "--stdin"], {
    cwd: clone.directory,
    input: content,
    encoding: "utf8",
  }).trim();
  const listed = rig.git(["ls-files", "-s"], clone.directory).trim().split("\n");
  const own = listed.map((line) => {
    const [, id = "", name = ""] = /^\d+ (\S+) 0\t(.*)$/u.exec(line) ?? [];
    return { path: name, oid: id };
  });
  writeFileSync(join(clone.directory, ".git", "index"), indexWith([...own, { path, oid }]));
}

const PATHS = [
  "../outside.bin",
  "/outside.bin",
  ".git/x.bin",
  "a/.GIT/x.bin",
  "a//x.bin",
  "./x.bin",
];

test.skipIf(!HAS_LFS).each(PATHS)(
  "an index made by hand that names %s stops nothing, and nothing of it is committed (needs git-lfs)",
  async (path) => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    const { pointer } = pointerTo("what was there before\n");
    const plant = () => {
      plantEntry(rig, clone, path, pointer);
      write(join(clone.directory, path), pointer);
    };
    plant();
    await rig.clone("builder");
    for (const step of [
      () => clone.isDirty(),
      () => clone.syncTo(),
      () => clone.rescueAndReset(),
      () => clone.clean(),
    ]) {
      plant();
      expect(await step()).toMatchObject({ ok: true });
    }
    plant();
    write(join(clone.directory, "new.txt"), "new\n");
    const made = value(await clone.commitAll("Add what was left")) ?? "";
    const listed = rig.git(["ls-tree", "-r", "--name-only", made], clone.directory);
    expect(
      listed.split("\n").filter((name) => name.includes("..") || name.includes(".git/")),
    ).toEqual([]);
    expect(listed).toContain("new.txt");
    value(await clone.publish(made));
    expect(rig.git(["show", `${BRANCH}:new.txt`])).toBe("new\n");
  },
);

test.each([
  ["..", "file"],
  [".git", "config"],
  [".GIT ", "config"],
  ["git~1", "config"],
  [".", "file"],
])(
  "commits with the path %s/%s are not published, whether they are packed or not",
  async (folder, name) => {
    using rig = createRig();
    const clone = await rig.clone("builder");
    const run = (args: readonly string[], input: string) =>
      execFileSync("git", args, { cwd: clone.directory, input, encoding: "utf8" }).trim();
    const blob = run(["hash-object", "-w", "--stdin"], "x\n");
    const inner = run(["mktree"], `100644 blob ${blob}\t${name}\n`);
    const tree = run(["mktree"], `040000 tree ${inner}\t${folder}\n`);
    const before = value(await clone.head());
    const at = run(["commit-tree", tree, "-p", before, "-m", "odd"], "");
    rig.git(["update-ref", "HEAD", at], clone.directory);
    const reason: unknown = expect.stringContaining(`"${folder.trim()}`);
    const refused = { failure: { kind: "content", reason } };
    expect(await clone.publish(at)).toMatchObject(refused);
    rig.git(["repack", "-q", "-a", "-d"], clone.directory);
    expect(await clone.publish(at)).toMatchObject(refused);
    expect(await rig.hub.head(BRANCH)).toBe(before);
  },
);
