import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeEmptyDirectories } from "../../src/host/files/empty-directories.ts";
import { findExecutable } from "../../src/host/processes/find-executable.ts";
import { pointLink, readLink, realPath } from "../../src/host/files/node-links.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "wisp-"));
});
afterEach(() => rm(root, { recursive: true }));

test("a link is replaced atomically, and no other file remains", async () => {
  const link = join(root, "current");
  expect(readLink(link)).toBeUndefined();
  expect(pointLink(link, "sessions/a").ok).toBe(true);
  expect(pointLink(link, "sessions/b").ok).toBe(true);
  expect(await readlink(link)).toBe("sessions/b");
  expect(await readdir(root)).toEqual(["current"]);
});

test("a folder is not replaced by a link", async () => {
  await mkdir(join(root, "current"));
  expect(pointLink(join(root, "current"), "a")).toMatchObject({ failure: { errno: "EISDIR" } });
  expect(await readdir(root)).toEqual(["current"]);
});

test("a path is resolved through its links, and not at all through a dangling one", async () => {
  await writeFile(join(root, "file"), "");
  pointLink(join(root, "good"), "file");
  pointLink(join(root, "bad"), "absent");
  expect(realPath(join(root, "good"))).toBe(realPath(join(root, "file")));
  expect(realPath(join(root, "bad"))).toBeUndefined();
});

test("a link through another link and up again is resolved as the system does", async () => {
  await mkdir(join(root, "a/b"), { recursive: true });
  await writeFile(join(root, "a/file"), "");
  pointLink(join(root, "deep"), "a/b");
  // Textually it is `file` beside `deep`, which does not exist.
  pointLink(join(root, "through"), "deep/../file");
  expect(realPath(join(root, "through"))).toBe(realPath(join(root, "a/file")));
});

test("removes empty folders upwards, up to one that is not empty or to the given end", async () => {
  await mkdir(join(root, "a/b/c/d"), { recursive: true });
  await writeFile(join(root, "a/file"), "");
  removeEmptyDirectories(join(root, "a/b/c/d"), join(root, "a/b/c"));
  expect(await readdir(join(root, "a/b"))).toEqual([]);
  removeEmptyDirectories(join(root, "a/b"), root);
  expect(await readdir(join(root, "a"))).toEqual(["file"]);
});

test("an executable is found on the path by name, and from the given place by path", async () => {
  await mkdir(join(root, "bin/folder"), { recursive: true });
  await writeFile(join(root, "bin/agent"), "#!/bin/sh\n", { mode: 0o755 });
  await writeFile(join(root, "bin/text"), "no program\n", { mode: 0o644 });
  const place = { cwd: root, env: { PATH: `/nowhere:${join(root, "bin")}` } };
  const found = ["agent", "./bin/agent", join(root, "bin/agent")].map((name) =>
    findExecutable(name, place),
  );
  expect(found).toEqual(Array.from({ length: 3 }, () => join(root, "bin/agent")));
  const missing = ["text", "folder", "./agent", "absent", "", "a\0b"];
  expect(missing.map((name) => findExecutable(name, place))).toEqual(missing.map(() => undefined));
});
