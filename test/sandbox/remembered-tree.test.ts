import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { TreeView } from "../../src/base/ports/tree-view.ts";
import { createNodeTreeView } from "../../src/host/files/node-tree-view.ts";
import { rememberedTree } from "../../src/sandbox/remembered-tree.ts";

/** Folders, files and links of every kind, some of which lead nowhere. */
function plantedTree(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "wisp-links-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "a", "b", "c"), { recursive: true });
  writeFileSync(join(root, "a", "file"), "");
  const links: Readonly<Record<string, string>> = {
    ...{ up: "..", here: ".", root, relative: "a/b", absolute: join(root, "a", "b") },
    ...{ dangling: "none", loop: "loop", through: "a/file/x", "a/b/back": "../../relative/c" },
    ...{ "a/b/c/far": "../../../absolute/back/..", file: "a/file" },
  };
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
  for (let at = 0; at < 45; at++)
    symlinkSync(at === 0 ? "a" : `chain-${String(at - 1)}`, join(root, `chain-${String(at)}`));
  return root;
}

/** A view that counts how often the system is asked about each path. */
function counted(tree: TreeView): { readonly tree: TreeView; readonly asked: string[] } {
  const asked: string[] = [];
  const count =
    <T>(word: string, ask: (path: string) => T) =>
    (path: string): T => {
      asked.push(`${word} ${path}`);
      return ask(path);
    };
  return {
    asked,
    tree: {
      kindOf: count("kind", (path) => tree.kindOf(path)),
      realPath: count("real", (path) => tree.realPath(path)),
      linkTarget: count("link", (path) => tree.linkTarget(path)),
      entries: count("entries", (path) => tree.entries(path)),
    },
  };
}

test("a remembered tree resolves every path as the system does, whatever was listed before", () => {
  const root = plantedTree();
  const parts = ["a", "b", "c", "back", "far", "up", "here", "root", "relative", "absolute"];
  const odd = ["dangling", "loop", "through", "file", "none", "..", ".", "chain-39", "chain-40"];
  const names = [...parts, ...odd];
  const paths = names.flatMap((one) => [
    join(root, one),
    ...names.flatMap((two) => [
      `${root}/${one}/${two}`,
      ...names.map((three) => `${root}/${one}/${two}/${three}`),
    ]),
  ]);
  const system = createNodeTreeView();
  const [plain, informed] = [rememberedTree(system), rememberedTree(system)];
  for (const folder of ["", "a", "a/b", "a/b/c"]) informed.entries(join(root, folder));
  const found = paths.map((path) => system.realPath(path));
  expect(found.filter((path) => path !== undefined).length).toBeGreaterThan(200);
  expect(paths.map((path) => plain.realPath(path))).toEqual(found);
  expect(paths.map((path) => informed.realPath(path))).toEqual(found);
  const kinds = paths.map((path) => system.kindOf(path));
  expect(paths.map((path) => informed.kindOf(path))).toEqual(kinds);
});

test("the system is asked about a path at most once, and not about one that a listing has told", () => {
  const root = plantedTree();
  const { tree, asked } = counted(createNodeTreeView());
  const seen = rememberedTree(tree);
  for (let round = 0; round < 3; round++) {
    seen.entries(root);
    for (const path of ["none", "absolute/c", "relative/none", "a/file"])
      seen.realPath(join(root, path));
  }
  expect(asked).toEqual([...new Set(asked)]);
  expect(asked).not.toContain(`kind ${root}/none`);
  expect(asked).toContain(`kind ${root}/a/file`);
  expect(asked.filter((what) => what.startsWith("real "))).toEqual([]);
});

test("a folder that cannot be listed hides nothing that is asked for by name", () => {
  const seen = rememberedTree({
    kindOf: (path) => (path === "/closed/file" ? "file" : "directory"),
    realPath: () => undefined,
    linkTarget: () => undefined,
    entries: () => [],
  });
  expect(seen.entries("/closed")).toEqual([]);
  expect(seen.realPath("/closed/file")).toBe("/closed/file");
});

test("each plan has a view of its own: what appeared since the last one is seen", () => {
  const root = plantedTree();
  const system = createNodeTreeView();
  expect(rememberedTree(system).realPath(join(root, "dangling"))).toBeUndefined();
  writeFileSync(join(root, "none"), "");
  expect(rememberedTree(system).realPath(join(root, "dangling"))).toBe(join(root, "none"));
});
