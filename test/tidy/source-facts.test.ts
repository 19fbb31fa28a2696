import { expect, test } from "vitest";
import {
  anyLinesIn,
  carriesUnit,
  exportedConstantsIn,
  homePathsIn,
  importsIn,
  packageOf,
  pathsBelow,
  subscribeLinesIn,
  thrownErrorLinesIn,
  unexplainedDisablesIn,
} from "./source-facts.ts";

// A violation of each rule of source-rules.test.ts is planted here once: a rule that cannot fail is useless.

test("finds every form of import", () => {
  const text = `
    import { a } from "static";
    import type { B } from "type-only";
    import "for-effect";
    export { c } from "re-exported";
    const d = await import("dynamic");`;
  expect(importsIn(text)).toEqual(
    expect.arrayContaining(["static", "type-only", "for-effect", "re-exported", "dynamic"]),
  );
});

test("finds `any` as a type, but not in a comment or a string", () => {
  expect(anyLinesIn(`// any\nconst text = "any";\nlet hole: Record<string, any>;`)).toEqual([3]);
});

test("finds a throw of a plain Error, but not of an own class", () => {
  const text = `throw new AssertionFailure("x");\nthrow new Error("x");\nif (a) throw Error("x");`;
  expect(thrownErrorLinesIn(text)).toEqual([2, 3]);
});

test("finds a subscribe, also across lines and after an optional chain", () => {
  const text = `// a$.subscribe()\na$.pipe(b)\n  .subscribe();\nc?.subscribe({});\nsubscribe();`;
  expect(subscribeLinesIn(text)).toHaveLength(2);
});

test("finds a lint rule that is disabled without a reason", () => {
  const text = `// eslint-disable-next-line x -- a reason\na;\n/* eslint-disable y */\nb;`;
  expect(unexplainedDisablesIn(text)).toEqual([3]);
});

test("finds a limit without a unit", () => {
  const text = `export const LINE_BYTES_MAX = 1;\nexport const GRACE = 2;\nconst inner = 3;`;
  expect(exportedConstantsIn(text).filter((name) => !carriesUnit(name))).toEqual(["GRACE"]);
});

test("names a package without the path inside it", () => {
  const specifiers = ["rxjs/testing", "@scope/name/deep", "node:fs/promises", "./own.ts"];
  expect(specifiers.map(packageOf)).toEqual(["rxjs", "@scope/name", "node:fs/promises", undefined]);
});

test("finds a home folder, but not that of an example", () => {
  const home = ["", "home", "carla"].join("/");
  expect(homePathsIn(`see ${home}/project or /home/you/project`)).toEqual([home]);
});

test("finds a path of this checkout, but not one that only ends like it", () => {
  const text = `"/opt/src/x.ts" and lib/opt/src/y.ts`;
  expect(pathsBelow("/opt/src", text)).toEqual(["/opt/src/x.ts"]);
  expect(pathsBelow("/opt", text)).toEqual([]);
});
