import { expect, test } from "vitest";
import { isWithin, Mounts, parentOf } from "../../src/sandbox/mounts.ts";
import { ENGINE_NEEDS } from "../../src/engines/coding-clis.ts";
import { privateCaches, protectedInHome } from "../../src/sandbox/engine-folders.ts";
import { OPENED_FOLDERS } from "../../src/sandbox/protected-places.ts";

test("parents come before children, whatever order they were named in", () => {
  const mounts = new Mounts();
  mounts.set("/a/b/c", { kind: "write" });
  mounts.set("/a-b", { kind: "empty" });
  mounts.set("/a", { kind: "empty" });
  mounts.set("/a/b", { kind: "read" });
  expect(mounts.list().map(([path]) => path)).toEqual(["/a", "/a/b", "/a/b/c", "/a-b"]);
});

test("a rule that repeats the one above it is left out, and so is one below a link or a blank", () => {
  const mounts = new Mounts();
  mounts.set("/usr/lib", { kind: "read" });
  mounts.set("/a", { kind: "write" });
  mounts.set("/a/b", { kind: "write" });
  mounts.set("/a/c", { kind: "write", from: "/elsewhere" });
  mounts.set("/data/link", { kind: "link", to: "/data" });
  mounts.set("/data/link/cache", { kind: "write", from: "/x" });
  mounts.set("/a/key", { kind: "blank" });
  expect(mounts.list().map(([path]) => path)).toEqual(["/a", "/a/c", "/a/key", "/data/link"]);
});

test("only a path that is hidden or replaced needs to be shown", () => {
  const mounts = new Mounts();
  mounts.set("/home/you", { kind: "empty" });
  mounts.set("/tmp", { kind: "write", from: "/state/tmp" });
  mounts.set("/home/you/work", { kind: "write" });
  for (const path of ["/usr/bin", "/home/you/tools", "/tmp/x", "/home/you/work/y"])
    mounts.show(path);
  const shown = mounts.list().filter(([, { kind }]) => kind === "read");
  expect(shown.map(([path]) => path)).toEqual(["/home/you/tools", "/tmp/x"]);
});

test("a path is within itself and those above it", () => {
  expect([isWithin("/a/b", "/a"), isWithin("/a", "/a"), isWithin("/ab", "/a")]).toEqual([
    ...[true, true, false],
  ]);
  expect([isWithin("/a", "/"), parentOf("/a"), parentOf("/a/b")]).toEqual([true, "/", "/a"]);
});

test("showing a folder does not show the protected places in it, and caches can be links", () => {
  const opened = new Set(OPENED_FOLDERS.map(({ path }) => path));
  const folderOf = (path: string) => parentOf(`/${path}`).slice(1);
  const isShown = (path: string) => {
    const folder = OPENED_FOLDERS.find((one) => one.path === folderOf(path));
    return folder !== undefined && (folder.shown?.has(path.split("/").at(-1) ?? "") ?? true);
  };
  const named = OPENED_FOLDERS.flatMap(({ path, shown }) =>
    [...(shown ?? [])].map((name) => (path === "" ? name : `${path}/${name}`)),
  );
  const closed = protectedInHome(ENGINE_NEEDS);
  expect(closed.filter((path) => named.includes(path))).toEqual([]);
  const caches = privateCaches(ENGINE_NEEDS);
  expect(caches.filter((path) => !opened.has(folderOf(path)))).toEqual([]);
  const below = closed.filter((path) => !opened.has(folderOf(path)));
  // Their folders are not shown at all.
  expect(below.filter((path) => isShown(folderOf(path)))).toEqual([]);
});
