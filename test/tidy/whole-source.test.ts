import { expect, test } from "vitest";
import { sourceFiles, textOf } from "./repository.ts";
import { entriesIn, unreachedFiles, type Sources } from "./whole-source.ts";

// What the source files are to one another, each rule with what would break it planted once.

const SOURCES: Sources = new Map(sourceFiles().map((path) => [path, textOf(path)]));

function planted(sources: Readonly<Record<string, string>>): Sources {
  return new Map(Object.entries(sources));
}

test("no source file is there for tests only", () => {
  const entries = entriesIn(textOf("tsdown.config.ts"));
  expect(entries).toContain("src/cli/wisp.ts");
  expect(unreachedFiles(SOURCES, entries)).toEqual([]);
});

test("a planted file that only another unreached one imports is found, and that one, too", () => {
  const sources = planted({
    "src/cli/wisp.ts": `import "../base/low.ts";`,
    "src/base/low.ts": "export const low = 1;",
    "src/base/wing.ts": `import { room } from "./room.ts";\nimport { low } from "./low.ts";`,
    "src/base/room.ts": "export const room = 1;",
  });
  expect(unreachedFiles(sources, ["src/cli/wisp.ts"])).toEqual([
    "src/base/room.ts",
    "src/base/wing.ts",
  ]);
});

test("a file is reached by an import of any kind, and through a circle", () => {
  const sources = planted({
    "src/cli/wisp.ts": `await import("./command.ts");`,
    "src/cli/command.ts": `import type { Shape } from "./shape.ts";\nexport { a } from "./a.ts";`,
    "src/cli/shape.ts": "export type Shape = 1;",
    "src/cli/a.ts": `import "./b.ts";`,
    "src/cli/b.ts": `import "./a.ts";`,
  });
  expect(unreachedFiles(sources, ["src/cli/wisp.ts"])).toEqual([]);
});

test("the entries of a bundle are found, whether by name or in a list", () => {
  const named = `export default { entry: { one: "src/one.ts", two: "src/two.ts" }, format: "esm" };`;
  expect(entriesIn(named)).toEqual(["src/one.ts", "src/two.ts"]);
  expect(entriesIn(`export default { entry: ["src/one.ts"] };`)).toEqual(["src/one.ts"]);
});
