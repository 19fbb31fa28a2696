import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { judgeLayers, type LayerJudgement } from "./layers.ts";
import { repositoryRoot, sourceFiles } from "./repository.ts";

/** Checks a tree of `path → text` in its own folder. */
async function judgeTree(tree: Readonly<Record<string, string>>): Promise<LayerJudgement> {
  const baseDir = await mkdtemp(join(tmpdir(), "wisp-"));
  try {
    for (const [path, text] of Object.entries(tree)) {
      await mkdir(dirname(join(baseDir, path)), { recursive: true });
      await writeFile(join(baseDir, path), text);
    }
    return await judgeLayers(baseDir);
  } finally {
    await rm(baseDir, { recursive: true });
  }
}

test("no import in the source breaks a rule of the layers", async () => {
  const { modules, violations } = await judgeLayers(repositoryRoot);
  expect(violations).toEqual([]);
  // With an unknown version of the compiler, dependency-cruiser finds no modules and reports no error.
  expect(modules).toBe(sourceFiles().length);
});

test("finds an import from a layer above", async () => {
  const { violations } = await judgeTree({
    "src/cli/words.ts": "export const word = 1;",
    "src/base/low.ts": `import { word } from "../cli/words.ts";\nexport const low = word;`,
  });
  expect(violations).toEqual(["base-looks-only-down: src/base/low.ts -> src/cli/words.ts"]);
});

test("finds an import from a sibling, even of a type only", async () => {
  const { violations } = await judgeTree({
    "src/git/clone.ts": "export type Clone = string;",
    "src/host/disk.ts": `import type { Clone } from "../git/clone.ts";\nexport type Disk = Clone;`,
  });
  expect(violations).toEqual(["host-looks-only-down: src/host/disk.ts -> src/git/clone.ts"]);
});

test("finds an import of one role by another", async () => {
  const { violations } = await judgeTree({
    "src/agents/tester/main.ts": "export const tester = 1;",
    "src/agents/builder/main.ts": `export { tester } from "../tester/main.ts";`,
  });
  expect(violations).toContain(
    "builder-meets-others-in-files: src/agents/builder/main.ts -> src/agents/tester/main.ts",
  );
});

test("finds a path from role to role through a file between them", async () => {
  const { violations } = await judgeTree({
    "src/agents/tester/main.ts": "export const tester = 1;",
    "src/agents/between.ts": `export const load = () => import("./tester/main.ts");`,
    "src/agents/builder/main.ts": `export { load } from "../between.ts";`,
  });
  expect(violations).toEqual([
    "builder-meets-others-in-files: src/agents/builder/main.ts -> src/agents/tester/main.ts",
  ]);
});

test("finds an import of an agent by the terminal view", async () => {
  const { violations } = await judgeTree({
    "src/agents/role.ts": "export const role = 1;",
    "src/tui/view.ts": `export { role } from "../agents/role.ts";`,
  });
  expect(violations).toEqual([
    "windows-do-not-import-agents: src/tui/view.ts -> src/agents/role.ts",
  ]);
});

test("finds a cycle", async () => {
  const { violations } = await judgeTree({
    "src/base/a.ts": `import { b } from "./b.ts";\nexport const a = () => b;`,
    "src/base/b.ts": `import { a } from "./a.ts";\nexport const b = () => a;`,
  });
  expect(violations).toContain("no-circles: src/base/a.ts -> src/base/b.ts");
});

test("finds an unresolved import, an import of a test, and a file outside all layers", async () => {
  const { violations } = await judgeTree({
    "test/rig.ts": "export const rig = 1;",
    "src/base/a.ts": `export { a } from "./absent.ts";`,
    "src/base/b.ts": `export { rig } from "../../test/rig.ts";`,
    "src/odd/c.ts": `export { rig } from "../base/b.ts";`,
  });
  expect(violations).toEqual([
    "every-file-is-in-a-layer: src/odd/c.ts -> src/base/b.ts",
    "every-import-resolves: src/base/a.ts -> ./absent.ts",
    "source-stands-on-its-own: src/base/b.ts -> test/rig.ts",
  ]);
});

test("finds an import of a package for tests, for types, or of another package", async () => {
  const { violations } = await judgeTree({
    "package.json": `{ "devDependencies": { "vitest": "1.0.0", "@types/mdast": "1.0.0", "zod": "1.0.0" } }`,
    "node_modules/vitest/index.js": "export const test = 1;",
    "node_modules/zod/index.js": "export const z = 1;",
    "node_modules/of-zod/index.js": "export const inner = 1;",
    "node_modules/@types/mdast/index.d.ts": "export interface Root { readonly kind: string }",
    "src/base/a.ts": `import { test } from "vitest";\nexport const a = test;`,
    "src/base/b.ts": `export { inner } from "of-zod";`,
    "src/base/c.ts": `export const load = () => import("vitest");`,
    "src/base/d.ts": `import { Root } from "mdast";\nexport const d = Root;`,
    "src/base/fine.ts": `import { z } from "zod";\nimport type { Root } from "mdast";\nexport const f = (root: Root) => [z, root];`,
  });
  expect(violations).toEqual([
    "only-owned-packages-at-run-time: src/base/a.ts -> node_modules/vitest/index.js",
    "only-owned-packages-at-run-time: src/base/b.ts -> node_modules/of-zod/index.js",
    "only-owned-packages-at-run-time: src/base/c.ts -> node_modules/vitest/index.js",
    "only-owned-packages-at-run-time: src/base/d.ts -> node_modules/@types/mdast/index.d.ts",
  ]);
});
