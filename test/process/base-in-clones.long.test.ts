import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { freePort } from "../rig/free-port.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { SESSION_SANDBOXES } from "../rig/session-sandboxes.ts";

/*
 * Projects that are green in the person's checkout, and red in a tree that holds nothing but the commit, with the names of
 * tests or of files: nothing is built before a person was asked, and what is missing is in the question.
 */

interface Project {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  /** Untracked files of the checkout. */
  readonly beside?: Readonly<Record<string, string>>;
  /** What else is committed. */
  readonly prepare?: (session: ProcessSession) => void;
  readonly verify: readonly string[];
  readonly asks: readonly string[];
}

const TEST =
  'const test = require("node:test");\nconst assert = require("node:assert");\nconst fs = require("node:fs");\n';
const SUM = "exports.sum = (a, b) => a + b;\n";
const NODE_TEST = ["node", "--test"];
const manifest = JSON.stringify({ scripts: { test: "node --test", build: "node build.js" } });

/** Of nobody: it was free a moment ago. */
const REFUSED = await freePort();

const PROJECTS: readonly Project[] = [
  {
    what: "a package is not built",
    files: {
      ...{ "package.json": manifest, ".gitignore": "dist/\n", "packages/a/src/index.js": SUM },
      "packages/b/test/b.test.js": `${TEST}const { sum } = require("../../a/dist/index.js");\ntest("adds", () => assert.equal(sum(1, 2), 3));\n`,
    },
    beside: { "packages/a/dist/index.js": SUM },
    verify: NODE_TEST,
    asks: ["1 test fails: packages/b/test/b.test.js", "build: [npm, run, build]"],
  },
  {
    what: "variables are in a file that git ignores",
    files: {
      ...{ ".gitignore": ".env\n", ".env.example": "KEY=1\n" },
      "test/a.test.js": `${TEST}test("has a key", () => assert.match(fs.readFileSync(".env", "utf8"), /KEY/));\n`,
    },
    beside: { ".env": "KEY=1\n" },
    verify: NODE_TEST,
    asks: ["1 test fails: test/a.test.js > has a key", "setup: [cp, .env.example, .env]"],
  },
  {
    what: "the package is installed in the checkout's environment",
    files: {
      ...{ ".gitignore": ".venv/\n", "src/shop/__init__.py": "" },
      "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
      "tests/test_shop.py": "import unittest\nimport shop\n",
    },
    beside: { ".venv/pyvenv.cfg": "" },
    verify: ["python3", "-m", "unittest", "discover", "-s", "tests"],
    asks: ["The manifest pyproject.toml has no lock file", "No test passed."],
  },
  {
    what: "the commit of a submodule is not in the repository's own copy of it",
    files: {
      "test/a.test.js": `${TEST}test("adds", () => assert.equal(require("../vendor/lib/sum.js").sum(1, 2), 3));\n`,
    },
    prepare: addSubmodule,
    verify: NODE_TEST,
    asks: ["1 test fails: test/a.test.js > adds", "vendor/lib", "git, submodule, update, --init"],
  },
  {
    what: "a service does not run",
    files: {
      "test/a.test.js": `${TEST}test("one", () => {});\ntest("asks", () => new Promise((resolve, reject) => require("node:net").connect(${String(REFUSED)}, "127.0.0.1").on("connect", resolve).on("error", reject)));\n`,
    },
    verify: NODE_TEST,
    asks: [`refused the connection (127.0.0.1:${String(REFUSED)})`],
  },
];

const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) { t.put("hello.txt", "hello\n"); t.commit("Say hello"); t.tick(); },`;

function addSubmodule({ root, repository, git }: ProcessSession): void {
  const lib = join(root, "lib");
  mkdirSync(lib);
  writeFileSync(join(lib, "sum.js"), SUM);
  for (const words of [
    ["init", "-q", "-b", "main"],
    ["add", "-A"],
    ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", "commit", "-qm", "Add"],
  ]) {
    git("-C", lib, ...words);
  }
  git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib, "vendor/lib");
  git("commit", "-qm", "Add lib");
  // As in a checkout whose submodules nobody has fetched.
  git("submodule", "--quiet", "deinit", "-f", "vendor/lib");
  rmSync(join(repository, ".git", "modules"), { recursive: true });
}

describe.each(SESSION_SANDBOXES)("$where", ({ sandbox, isThere }) => {
  test.runIf(isThere).each(PROJECTS.map((project) => [project.what, project] as const))(
    "where %s, nothing is built before a person is asked, and the question says so",
    async (_what, { files, beside = {}, prepare, verify, asks }) => {
      await using session = processSession({
        ...{ scenario: SCENARIO, files, sandbox },
        config: `verify: ${JSON.stringify(verify)}\n`,
      });
      prepare?.(session);
      for (const [path, text] of Object.entries(beside)) {
        const place = join(session.repository, path);
        mkdirSync(dirname(place), { recursive: true });
        writeFileSync(place, text);
      }
      const ended = await session.wisp("start", "request.md");
      expect(ended).toMatchObject({ code: 4 });
      const said = ended.stdout + ended.stderr;
      for (const words of asks) expect(said).toContain(words);
      expect(session.read("logs/builder.log")).not.toContain("plan.adopt");
      expect(await homeIssues(session.home())).toEqual([]);
      expect(checkSession(session.home()).broken).toBeUndefined();
    },
  );
});
