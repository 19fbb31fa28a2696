import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IMPORT_LINES } from "../../src/evidence/harness/import-edges.ts";
import { commit, put } from "../rig/in-process-session.ts";
import { sessionRig } from "../agents/role-rig.ts";
import { atGit, noted } from "./noted-clone.ts";
import { BRANCH, createRig, value, write } from "./rig.ts";

test("reads paths and lines of a commit from its tree, whatever is in the work tree", async () => {
  using rig = sessionRig();
  const clone = await rig.role("builder").context.clone();
  await clone.syncTo();
  put(clone.directory, "a b/ä.js", 'import x from "./x";\nconst y = 1;\n');
  put(clone.directory, "src/m.py", "from . import x\nfrom a.b import (\n    c,\n)\nprint(1)\n");
  put(clone.directory, "notes.txt", 'import x from "./x";\n');
  commit(clone.directory, "Work");
  const head = await clone.head();
  if (!head.ok) throw new Error("there is no HEAD");
  put(clone.directory, "later.js", 'import "./later";\n');
  expect(await clone.pathsAt(head.value)).toEqual({
    ok: true,
    value: ["README.md", "a b/ä.js", "notes.txt", "src/m.py"],
  });
  expect(await clone.linesLike(head.value, IMPORT_LINES)).toEqual({
    ok: true,
    value: [
      { path: "a b/ä.js", text: 'import x from "./x";' },
      { path: "src/m.py", text: "from . import x" },
      { path: "src/m.py", text: "from a.b import (" },
    ],
  });
  const none = { pattern: "no such line", names: ["*.js"] };
  expect(await clone.linesLike(head.value, none)).toEqual({ ok: true, value: [] });
});

test("files of a commit are read with their bytes, within bounds, and links are not followed", async () => {
  using rig = sessionRig();
  const clone = await rig.role("builder").context.clone();
  await clone.syncTo();
  put(clone.directory, "a b/ä.js", "DATABASE_URL\n");
  put(clone.directory, "bytes.bin", Buffer.from([0, 0xff, 10, 13, 0]).toString("latin1"));
  put(clone.directory, "empty", "");
  put(clone.directory, "same.js", "DATABASE_URL\n");
  put(clone.directory, "z.txt", "x".repeat(100));
  symlinkSync("z.txt", join(clone.directory, "link"));
  commit(clone.directory, "Work");
  const head = await clone.head();
  if (!head.ok) throw new Error("there is no HEAD");
  const bounds = { filesMax: 100, fileBytesMax: 1_000, allBytesMax: 1_000 };
  const texts = async (less: Partial<typeof bounds>) => {
    const read = await clone.textsAt(head.value, { ...bounds, ...less });
    if (!read.ok) throw new Error(read.failure.message);
    return read.value.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]);
  };
  const [readme, ...rest] = await texts({});
  expect(readme?.[0]).toBe("README.md");
  expect(rest).toEqual([
    ["a b/ä.js", "DATABASE_URL\n"],
    ["bytes.bin", Buffer.from([0, 0xff, 10, 13, 0]).toString("latin1")],
    ["empty", ""],
    ["same.js", "DATABASE_URL\n"],
    ["z.txt", "x".repeat(100)],
  ]);
  expect((await texts({ fileBytesMax: 20 })).map(([path]) => path)).not.toContain("z.txt");
  expect(await texts({ filesMax: 2 })).toHaveLength(2);
  expect((await texts({ allBytesMax: 30 })).map(([path]) => path).at(-1)).toBe("empty");
  expect(await texts({ filesMax: 0 })).toEqual([]);
});

test("a file that git cannot read is a failure, and no other file's bytes take its place", async () => {
  using rig = createRig();
  for (const name of ["b.txt", "c.txt"]) write(join(rig.hub.directory, name), `${name}\n`);
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "Work"]);
  rig.git(["branch", "-f", BRANCH]);
  const { clone, head } = await noted(rig);
  const at = await head();
  value(await clone.syncTo(at));
  const lost = rig.git(["rev-parse", `${at}:b.txt`]).trim();
  const path = join(clone.directory, ".git", "objects", lost.slice(0, 2), lost.slice(2));
  atGit(rig, "cat-file", `rm -f '${path}'`);
  const bounds = { filesMax: 100, fileBytesMax: 1_000, allBytesMax: 1_000 };
  expect(await clone.textsAt(at, bounds)).toMatchObject({ ok: false, failure: { kind: "git" } });
});
