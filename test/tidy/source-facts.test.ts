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

// Each rule of source-rules.test.ts is planted here once: a rule that cannot fail holds nothing.

test("every way to import a module is seen", () => {
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

test("a planted any is found, the word in a comment or a string is not", () => {
  expect(anyLinesIn(`// any\nconst text = "any";\nlet hole: Record<string, any>;`)).toEqual([3]);
});

test("a planted throw of a plain Error is found, one of a class of ours is not", () => {
  const text = `throw new AssertionFailure("x");\nthrow new Error("x");\nif (a) throw Error("x");`;
  expect(thrownErrorLinesIn(text)).toEqual([2, 3]);
});

test("a planted subscribe is found, also across lines and behind an optional chain", () => {
  const text = `// a$.subscribe()\na$.pipe(b)\n  .subscribe();\nc?.subscribe({});\nsubscribe();`;
  expect(subscribeLinesIn(text)).toHaveLength(2);
});

test("a lint rule switched off without a reason is found", () => {
  const text = `// eslint-disable-next-line x -- a reason\na;\n/* eslint-disable y */\nb;`;
  expect(unexplainedDisablesIn(text)).toEqual([3]);
});

test("a limit without a unit is found", () => {
  const text = `export const LINE_BYTES_MAX = 1;\nexport const GRACE = 2;\nconst inner = 3;`;
  expect(exportedConstantsIn(text).filter((name) => !carriesUnit(name))).toEqual(["GRACE"]);
});

test("a package is named without the path inside it", () => {
  const specifiers = ["rxjs/testing", "@scope/name/deep", "node:fs/promises", "./own.ts"];
  expect(specifiers.map(packageOf)).toEqual(["rxjs", "@scope/name", "node:fs/promises", undefined]);
});

test("a home folder is found, that of an example is not", () => {
  const home = ["", "home", "carla"].join("/");
  expect(homePathsIn(`see ${home}/project or /home/you/project`)).toEqual([home]);
});

test("a path of this checkout is found, one that only ends like it is not", () => {
  const text = `"/opt/src/x.ts" and lib/opt/src/y.ts`;
  expect(pathsBelow("/opt/src", text)).toEqual(["/opt/src/x.ts"]);
  expect(pathsBelow("/opt", text)).toEqual([]);
});
