import { expect, test } from "vitest";
import { sourceFiles, textOf } from "./repository.ts";
import { entriesIn, namesExportedTwice, unreachedFiles, type Sources } from "./whole-source.ts";

// Rules about the source files as a whole, each with one planted violation.

const SOURCES: Sources = new Map(sourceFiles().map((path) => [path, textOf(path)]));

function planted(sources: Readonly<Record<string, string>>): Sources {
  return new Map(Object.entries(sources));
}

test("no source file is used only by tests", () => {
  const entries = entriesIn(textOf("tsdown.config.ts"));
  expect(entries).toContain("src/cli/wisp.ts");
  expect(unreachedFiles(SOURCES, entries)).toEqual([]);
});

test("finds an unreachable file and one that only it imports", () => {
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

test("an import of any kind reaches a file, also through a cycle", () => {
  const sources = planted({
    "src/cli/wisp.ts": `await import("./command.ts");`,
    "src/cli/command.ts": `import type { Shape } from "./shape.ts";\nexport { a } from "./a.ts";`,
    "src/cli/shape.ts": "export type Shape = 1;",
    "src/cli/a.ts": `import "./b.ts";`,
    "src/cli/b.ts": `import "./a.ts";`,
  });
  expect(unreachedFiles(sources, ["src/cli/wisp.ts"])).toEqual([]);
});

test("finds the entries of a bundle, by name or in a list", () => {
  const named = `export default { entry: { one: "src/one.ts", two: "src/two.ts" }, format: "esm" };`;
  expect(entriesIn(named)).toEqual(["src/one.ts", "src/two.ts"]);
  expect(entriesIn(`export default { entry: ["src/one.ts"] };`)).toEqual(["src/one.ts"]);
});

test("no two source files export the same name", () => {
  expect(namesExportedTwice(SOURCES)).toEqual([]);
});

test("finds a name that two files export, whatever it names", () => {
  const sources = planted({
    "src/a.ts": "export function look() {}\nexport interface Turn {}\nexport const x = 1, y = 2;",
    "src/b.ts": "export const look = 1;\nexport class Turn {}\nexport const { deep: [y] } = z;",
    "src/c.ts": "const local = 1;\nexport { local as look };\nexport type x = 1;",
  });
  expect(namesExportedTwice(sources)).toEqual([
    "Turn: src/a.ts, src/b.ts",
    "look: src/a.ts, src/b.ts, src/c.ts",
    "x: src/a.ts, src/c.ts",
    "y: src/a.ts, src/b.ts",
  ]);
});

test("does not count a schema and its type, a re-export or a private name as duplicates", () => {
  const sources = planted({
    "src/a.ts": "export const Oid = z.string();\nexport type Oid = z.infer<typeof Oid>;",
    "src/b.ts": `export { Oid } from "./a.ts";\nconst Level = 1;`,
    "src/c.ts": `import { Oid } from "./a.ts";\nexport const Level = 1;`,
  });
  expect(namesExportedTwice(sources)).toEqual([]);
});
