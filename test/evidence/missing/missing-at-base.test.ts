import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { missingAtBase } from "../../../src/evidence/missing/missing-at-base.ts";
import { sayMissing } from "../../../src/evidence/missing/missing.ts";
import { REFERENCE, verifyAt } from "../../../src/evidence/verify/verify-at.ts";
import { EMPTY_BUILDER } from "../../../src/session/state/builder-state.ts";
import { sessionRig } from "../../agents/role-rig.ts";
import { freePort } from "../../rig/free-port.ts";

/*
 * Projects that are green in the person's checkout, and red in a tree that holds nothing but the commit: what the
 * question about their base can say.
 */

interface Project {
  readonly files: Readonly<Record<string, string>>;
  /** Untracked files of the checkout. */
  readonly beside?: Readonly<Record<string, string>>;
  readonly verify: readonly string[];
}

/** Runs verify at the base, and says what is missing there. */
async function saidAt({ files, beside = {}, verify }: Project): Promise<string> {
  using rig = sessionRig({ files, verify: [verify] });
  for (const [path, text] of Object.entries(beside)) {
    const place = join(rig.at.repository, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  const { context } = rig.role("builder");
  const at = rig.session.base;
  const red = await verifyAt(context, EMPTY_BUILDER, at, REFERENCE);
  if (red.kind !== "verified" || red.outcome !== "failed") throw new Error("verify is red here");
  const { output, failing, tally } = red;
  return sayMissing(await missingAtBase(context, { at, output, failing, tally }));
}

const NODE = [process.execPath, "--test", "--test-reporter=spec"];
const TEST = 'import test from "node:test";\nimport assert from "node:assert";\n';
const NPM = JSON.stringify({ type: "module", scripts: { test: "node --test", build: "b" } });

test("an unbuilt package: the build is named, and that no test passed", async () => {
  const said = await saidAt({
    files: {
      "package.json": NPM,
      ".gitignore": "dist/\n",
      "packages/a/src/index.js": "export const add = (x, y) => x + y;\n",
      "packages/b/test/b.test.js": `${TEST}import { add } from "../../a/dist/index.js";\ntest("adds", () => assert.equal(add(1, 2), 3));\n`,
    },
    beside: { "packages/a/dist/index.js": "export const add = (x, y) => x + y;\n" },
    verify: NODE,
  });
  expect(said).toContain(
    "A build seems to make packages/a/dist/index.js, which the commit lacks and verify needs. Name `build: [npm, run, build]` in .wisp/config.yaml.",
  );
  expect(said).toContain("No test passed.");
});

test("a file of variables that git ignores: the setup that copies its example is named", async () => {
  const said = await saidAt({
    files: {
      "package.json": NPM,
      ".gitignore": ".env\n",
      ".env.example": "KEY=1\n",
      "test/a.test.js": `${TEST}import { readFileSync } from "node:fs";\ntest("has a key", () => assert.match(readFileSync(".env", "utf8"), /KEY/));\n`,
    },
    beside: { ".env": "KEY=1\n" },
    verify: NODE,
  });
  expect(said).toContain(
    "Git ignores .env, so wisp's copies lack it, but verify needs it. If verify needs it, name `setup: [cp, .env.example, .env]` in .wisp/config.yaml.",
  );
});

test("the same for a runner that takes the file itself and names no test", async () => {
  const said = await saidAt({
    files: { ".gitignore": ".env\n", ".env.example": "", "a.test.js": "" },
    beside: { ".env": "" },
    verify: [process.execPath, "--env-file=.env", "--test"],
  });
  expect(said).toContain("name `setup: [cp, .env.example, .env]`");
});

test("a service that is not running: its address is named", async () => {
  const port = await freePort();
  const said = await saidAt({
    files: {
      "a.test.mjs": `${TEST}import { connect } from "node:net";\ntest("one", () => {});\ntest("asks the service", () => new Promise((resolve, reject) => connect(${String(port)}, "127.0.0.1").on("connect", resolve).on("error", reject)));\n`,
    },
    verify: NODE,
  });
  expect(said).toContain(
    `Verify needs a service that refused the connection (127.0.0.1:${String(port)}).`,
  );
  expect(said).not.toContain("No test passed");
});

test("a package of Python in src, installed in the checkout's environment: how to install it is named", async () => {
  const said = await saidAt({
    files: {
      ".gitignore": ".venv/\n",
      "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
      "src/shop/__init__.py": "",
      "tests/test_shop.py": "import unittest\nimport shop\n",
    },
    beside: { ".venv/pyvenv.cfg": "" },
    verify: ["python3", "-m", "unittest", "discover", "-s", "tests"],
  });
  expect(said).toMatch(
    /^The manifest pyproject\.toml has no lock file, so wisp installs nothing before verify/u,
  );
  expect(said).toContain("[.venv/bin/pip, install, -e, ., pytest]");
});

test("a submodule is named where tests fail for want of it", async () => {
  using rig = sessionRig({ files: { "package.json": NPM } });
  const { git } = rig.at;
  git("update-index", "--add", "--cacheinfo", `160000,${rig.session.base},vendor/lib`);
  writeFileSync(join(rig.at.repository, ".gitmodules"), '[submodule "lib"]\n\tpath = vendor/lib\n');
  git("add", ".gitmodules");
  git("commit", "-qm", "Add lib");
  const { context } = rig.role("builder");
  const nothing = { output: undefined, failing: ["a"], tally: undefined };
  const missing = await missingAtBase(context, { at: git("rev-parse", "HEAD"), ...nothing });
  expect(missing.map(({ kind }) => kind)).toEqual(["submodule"]);
});

test("of tests that fail for their own reasons, nothing is said", async () => {
  const said = await saidAt({
    files: {
      "package.json": NPM,
      "a.test.js": `${TEST}test("one", () => {});\ntest("two", () => assert.equal(1, 2));\n`,
    },
    beside: { ".env": "", "notes.txt": "" },
    verify: NODE,
  });
  expect(said).toBe("");
});
