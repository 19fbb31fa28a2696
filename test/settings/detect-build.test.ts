import { expect, test } from "vitest";
import { detectBuild } from "../../src/settings/detect/detect-build.ts";
import { rootOf } from "./root-of.ts";

function built(manifest: object, files: Readonly<Record<string, string>> = {}) {
  const root = rootOf({ "package.json": JSON.stringify(manifest), ...files });
  return detectBuild(root)?.commands;
}
const scripts = { build: "tsc" };

test.each([
  ["main", { main: "./dist/index.js" }],
  ["a program", { bin: { tool: "dist/tool.js" } }],
  [
    "an export",
    { exports: { ".": { import: { types: "./dist/a.d.ts", default: "./src/a.js" } } } },
  ],
])("builds a package whose %s is missing", (_what, fields) => {
  expect(built({ scripts, ...fields }, { src: "" })).toEqual([["npm", "run", "build"]]);
  expect(built({ scripts, ...fields }, { "pnpm-lock.yaml": "" })).toEqual([
    ["pnpm", "run", "build"],
  ]);
});

test.each([
  ["there is no such script", { main: "./dist/index.js" }],
  ["its entry is committed", { scripts, main: "src/a.js" }],
  ["it has no entry", { scripts }],
  ["exports are patterns", { scripts, exports: { "./*": "./dist/*.js" } }],
])("builds nothing if %s", (_what, manifest) => {
  expect(built(manifest, { src: "" })).toBeUndefined();
});
