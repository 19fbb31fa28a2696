import { expect, test } from "vitest";
import { setupInputs } from "../../../src/evidence/verify-tree/setup-inputs.ts";
import { setupKey } from "../../../src/evidence/verify-tree/setup-key.ts";

const isInput = setupInputs(["db/**/*.sql"], ["node", "./tools/install.js"]);

test.each([
  ...["package.json", "packages/a/package.json", "packages/a/.npmrc", ".yarnrc.yml"],
  ...["pnpm-workspace.yaml", "patches/left+1.0.0.patch", "packages/a/patches/x/y.js"],
  ...[".yarn/patches/a.patch", ".yarn/releases/yarn-4.cjs", "fixes/a.patch"],
  ...["services/api/requirements-dev.txt", "requirements/base.txt", "pyproject.toml"],
  ...["api/go.sum", "crates/a/Cargo.toml", ".cargo/config.toml", "app/build.gradle.kts"],
  ...[".nvmrc", "db/deep/a.sql", "tools/install.js"],
])("%s is an input of setup", (path) => {
  expect(isInput(path)).toBe(true);
});

test.each(["src/index.js", "README.md", "docs/package.json.md", "db/a.txt", "tools/other.js"])(
  "%s is no input of setup",
  (path) => {
    expect(isInput(path)).toBe(false);
  },
);

const facts = {
  session: { setup: [["npm", "ci"]] },
  files: [
    { path: "package.json", oid: "a".repeat(40) },
    { path: "src/a.js", oid: "b".repeat(40) },
  ],
  sandbox: "none",
} as const;
const keyOf = (fields: object = {}) =>
  setupKey({ ...facts, session: { setup: [["npm", "ci"]] }, files: [...facts.files], ...fields });

test("the key of a setup depends only on its inputs and commands", () => {
  const [manifest, source] = facts.files;
  expect(keyOf({ files: [manifest, { ...source, oid: "c".repeat(40) }] })).toBe(keyOf());
  const others = [
    keyOf({ files: [{ ...manifest, oid: "c".repeat(40) }, source] }),
    keyOf({ files: [{ ...manifest, path: "a/package.json" }, source] }),
    keyOf({ session: { setup: [["npm", "install"]] } }),
    keyOf({ session: { setup: [["npm", "ci"]], build: [["npm", "run", "build"]] } }),
    keyOf({ sandbox: "bubblewrap" }),
    keyOf({ env: [] }),
    keyOf({ env: ["TOKEN"] }),
    keyOf(),
  ];
  expect(new Set(others).size).toBe(others.length);
});
