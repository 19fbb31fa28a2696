import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { SESSION_SANDBOXES } from "../rig/session-sandboxes.ts";

/*
 * The tests of a project need the files of a submodule, and of one within it. Nothing is fetched: what the person's
 * repository has of them is put into clones and verify trees.
 */

const BRANCH = "wisp/a-request";
const HEAD = 'const test = require("node:test");\nconst assert = require("node:assert");\n';
const TEST = `${HEAD}test("has a version", () => assert.ok(require("../vendor/lib/version.js") >= 1));
test("has what is deeper", () => assert.equal(require("../vendor/lib/deep/deep.js"), "deep"));
`;
const NEXT_TEST = `${HEAD}test("has the next version", () => assert.equal(require("../vendor/lib/version.js"), 2));\n`;
const FILES = { "test/a.test.js": TEST };
const CONFIG = 'verify: ["node", "--test"]\n';
const PLAN = String.raw`plan: (t) => t.plan("## Milestone: One\n\n- [ ] Use version 2\n"),`;

/** The agent moves the submodule to a commit that it has no repository of, and leaves something uncommitted. */
const MOVES = String.raw`
  ...(await (async () => {
    const { readFileSync } = await import("node:fs");
    const next = () => readFileSync("next.txt", "utf8").trim();
    return {
      ${PLAN}
      build(t) {
        t.put("seen.txt", readFileSync("vendor/lib/version.js", "utf8"));
        t.put("test/next.test.js", ${JSON.stringify(NEXT_TEST)});
        t.git("add", "test/next.test.js", "seen.txt");
        t.git("update-index", "--cacheinfo", "160000," + next() + ",vendor/lib");
        t.git("commit", "-qm", "Use version 2");
        t.put("left.txt", "left\n");
        t.tick();
      },
    };
  })())`;

/** The agent makes a repository of the submodule's files, and commits in it. */
const COMMITS = String.raw`
  ${PLAN}
  build(t) {
    const inside = (...words) => t.git("-C", "vendor/lib", "-c", "user.name=A", "-c", "user.email=a@b.invalid", ...words);
    t.git("init", "-q", "vendor/lib");
    inside("add", "-A");
    inside("commit", "-qm", "Mine");
    t.put("hello.txt", "hello\n");
    t.git("add", "hello.txt");
    t.git("commit", "-qm", "Say hello");
    t.tick();
  },
`;

/** A session whose repository has the submodule `vendor/lib` at its first version, and `deep` in it. */
function withSubmodules(options: Parameters<typeof processSession>[0]): ProcessSession {
  const session = processSession({ files: FILES, config: CONFIG, ...options });
  const { root, git } = session;
  const commit = (name: string, files: Readonly<Record<string, string>>) => {
    const at = join(root, name);
    if (!existsSync(at)) git("init", "-q", "-b", "main", at);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(at, path)), { recursive: true });
      writeFileSync(join(at, path), text);
    }
    git("-C", at, "add", "-A");
    const author = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
    git("-C", at, ...author, "commit", "-qm", name);
    return git("-C", at, "rev-parse", "HEAD");
  };
  const FILE = ["-c", "protocol.file.allow=always"];
  commit("deep", { "deep.js": 'module.exports = "deep";\n' });
  commit("lib", { "version.js": "module.exports = 1;\n" });
  git("-C", join(root, "lib"), ...FILE, "submodule", "--quiet", "add", join(root, "deep"), "deep");
  const first = commit("lib", {});
  const next = commit("lib", { "version.js": "module.exports = 2;\n" });
  git(...FILE, "submodule", "--quiet", "add", join(root, "lib"), "vendor/lib");
  git("-C", "vendor/lib", "checkout", "-q", first);
  git("add", "-A");
  git(...FILE, "submodule", "--quiet", "update", "--init", "--recursive");
  session.write("next.txt", `${next}\n`);
  git("add", "-A");
  git("commit", "-qm", "Add lib");
  // Nobody can fetch them from anywhere any more.
  for (const name of ["deep", "lib"]) rmSync(join(root, name), { recursive: true });
  return session;
}

describe.each(SESSION_SANDBOXES)("$where", ({ sandbox, isThere }) => {
  test.runIf(isThere)(
    "tests find the files of submodules, also of a commit that moves one, and none of them is committed",
    async () => {
      await using session = withSubmodules({ scenario: MOVES, sandbox });
      const started = await session.wisp("start", "request.md");
      expect(started).toMatchObject({ code: 0 });
      expect(started.stderr).not.toContain("is empty");
      expect(session.git("show", `${BRANCH}:seen.txt`)).toBe("module.exports = 1;");
      expect(session.git("show", `${BRANCH}:left.txt`)).toBe("left");
      const listed = session.git("ls-tree", "-r", BRANCH, "vendor");
      expect(listed).toBe(`160000 commit ${session.git("show", "HEAD:next.txt")}\tvendor/lib`);
      expect(session.git("status", "--porcelain")).toBe("");
    },
  );
});

test("a commit that an agent made in a submodule keeps the clone until it is removed by force", async () => {
  await using session = withSubmodules({ scenario: COMMITS });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const done = await session.wisp("done", "--yes", "--no-pr", "--no-push");
  expect(done).toMatchObject({ code: 0 });
  expect(done.stdout + done.stderr).toContain("commits in the submodule vendor/lib");
  const clones = () =>
    readdirSync(join(session.root), { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith("builder/clone"),
    );
  expect(clones()).toHaveLength(1);
  expect(await session.wisp("prune", "a-request", "--force", "--yes")).toMatchObject({ code: 0 });
  expect(clones()).toEqual([]);
});
