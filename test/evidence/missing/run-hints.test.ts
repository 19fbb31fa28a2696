import { expect, test } from "vitest";
import { missingLine } from "../../../src/evidence/missing/missing.ts";
import { missingInRun, type RedAtBase } from "../../../src/evidence/missing/run-hints.ts";
import { commandsOf, factsOf, type MadeUpProject } from "./facts-of.ts";

const NPM = JSON.stringify({
  scripts: { test: "mocha", build: "b" },
  devDependencies: { mocha: "1" },
});

/** What is said of a red run, each after its kind. */
function said(
  text: string,
  project: Partial<MadeUpProject> = {},
  run: Partial<Omit<RedAtBase, "text">> = {},
) {
  const facts = factsOf({ files: {}, ...project });
  const red = { text, names: [], passed: 3, ...run };
  return missingInRun(red, facts, commandsOf(facts)).map(
    (one) => `${one.kind}: ${missingLine(one)}`,
  );
}

test.each([
  [
    "Node",
    "Error: connect ECONNREFUSED 127.0.0.1:6379\n Error: connect ECONNREFUSED ::1:6379",
    "::1:6379",
    " (usually Redis)",
  ],
  [
    "Go",
    "dial tcp 127.0.0.1:5432: connect: connection refused",
    "127.0.0.1:5432",
    " (usually PostgreSQL)",
  ],
  [
    "psycopg",
    'connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
    "localhost:5432",
    " (usually PostgreSQL)",
  ],
  [
    "redis of Python",
    "redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379. Connection refused.",
    "localhost:6379",
    " (usually Redis)",
  ],
  [
    "JDBC",
    "org.postgresql.util.PSQLException: Connection to db.local:5433 refused.",
    "db.local:5433",
    "",
  ],
  [
    "requests",
    "HTTPConnectionPool(host='localhost', port=8080): Max retries exceeded with url: / (Caused by NewConnectionError('[Errno 111] Connection refused'))",
    "localhost:8080",
    "",
  ],
] as const)(
  "a service that refused the connection is named as %s prints it",
  (_, text, where, usual) => {
    expect(said(text)).toEqual([
      `service: verify needs a service${usual} that refused the connection (${where}). ` +
        'Start it here, and answer "again", if a test does not start it itself.',
    ]);
  },
);

test("a refusal without an address is said without one", () => {
  expect(said("socket.error: [Errno 111] Connection refused")).toEqual([
    expect.stringContaining("service: verify needs a service that refused the connection. Start"),
  ]);
});

test.each([
  ["Node", "Error: listen EADDRINUSE: address already in use :::3000", "3000"],
  ["Go", "listen tcp :8080: bind: address already in use", "8080"],
] as const)("a port that something else holds is named as %s prints it", (_, text, port) => {
  expect(said(text)).toEqual([
    `port: verify listens on a port that something else holds (${port}). ` +
      "End that, or name the variable with the port in `commands: { slot: [PORT] }` of .wisp/config.yaml.",
  ]);
});

test.each([
  ["dash", "sh: 1: mocha: not found"],
  ["bash", "bash: line 1: mocha: command not found"],
  ["Node", "Error: spawn mocha ENOENT"],
] as const)("a program that %s did not find leads to the manifest that names it", (_, text) => {
  expect(said(text, { files: { "package.json": NPM } })).toEqual([
    expect.stringMatching(
      /^manifest: the manifest package\.json names mocha, .* name `setup: \[npm, install\]`/,
    ),
  ]);
  expect(said(text)).toEqual([
    "program: verify did not find the program mocha. Name a command that installs it as `setup` in .wisp/config.yaml.",
  ]);
});

test("a module of Python leads to the project's own manifest, or else is named", () => {
  const files = { "pyproject.toml": "[project]\n[tool.pytest]\n", "src/shop/__init__.py": "" };
  const text = "E   ModuleNotFoundError: No module named 'shop'";
  expect(said(text, { files })).toEqual([
    expect.stringMatching(
      /^manifest: the manifest pyproject\.toml has no lock file, so wisp installs nothing before verify\. /,
    ),
  ]);
  expect(said(text)).toEqual([
    expect.stringContaining("module: verify did not find the module shop"),
  ]);
  const locked = { "uv.lock": "", ...files };
  expect(said(text, { files: locked })).toEqual([
    "module: verify did not find the module shop. `setup` does not bring it: let it install what is missing. It is the project itself.",
  ]);
});

const ENV = { files: { ".env.example": "" }, ignored: [".env"] };
test.each([
  ["Node", "node: .env: not found"],
  ["a read", "Error: ENOENT: no such file or directory, open '.env'"],
  ["Python", "FileNotFoundError: [Errno 2] No such file or directory: '.env'"],
  ["Go", "open .env: no such file or directory"],
] as const)("an ignored file that %s did not find is named with its example", (_, text) => {
  expect(said(text, ENV)).toEqual([
    "ignored: git ignores .env, so wisp's copies lack it, but verify needs it. " +
      "If verify needs it, name `setup: [cp, .env.example, .env]` in .wisp/config.yaml.",
  ]);
  expect(said(text)).toEqual([]);
});

test("an ignored module is found by the end of a printed path, if only one can be meant", () => {
  const text = "Error: Cannot find module '../config/local.json'";
  expect(said(text, { ignored: ["config/local.json"] })).toEqual([
    expect.stringContaining("ignored: git ignores config/local.json"),
  ]);
  expect(said(text, { ignored: ["a/config/local.json", "b/config/local.json"] })).toEqual([]);
});

test("a module below a folder that builds write leads to the build", () => {
  const files = { "package.json": NPM, "package-lock.json": "{}" };
  const text =
    "Error: Cannot find module 'packages/a/dist/index.js' imported from packages/b/test/b.js";
  expect(said(text, { files })).toEqual([
    "built: verify looks for packages/a/dist/index.js, which a build usually makes. " +
      "Name `build: [npm, run, build]` in .wisp/config.yaml.",
  ]);
});

test("files that could not be loaded, and that no test passed, are said", () => {
  const text = "SyntaxError: Unexpected token\n";
  const names = ["test/a.test.js", "test/b.test.js"];
  expect(said(text, {}, { names, passed: 0 })).toEqual([
    "not-loaded: what failed are files that could not be loaded, not tests: test/a.test.js, test/b.test.js. Their first error says what they lack.",
    "none-passed: no test passed. Usually something is missing then, and verify could judge nothing.",
  ]);
  expect(said(text, {}, { names, passed: undefined })).toHaveLength(2);
});

test.each([
  ["failed", "not ok 1 - adds\n  expected: 3\n  actual: 4", { names: ["adds"] }],
  ["failed, and no total is known", "FAIL adds", { names: ["adds"], passed: undefined }],
  [
    "speak of files and connections",
    'not ok 1 - says "file not found", and retries connections',
    { names: ["x"] },
  ],
  ["printed nothing", "", {}],
] as const)("nothing is said to be missing of tests that %s", (_, text, run) => {
  expect(said(text, ENV, run)).toEqual([]);
});

test("what a run prints cannot bring control characters or endless text into the question", () => {
  const lines = said(`sh: 1: \u001b[31m${"x".repeat(400)}: not found\n`.repeat(1_000));
  expect(lines.join("").length).toBeLessThan(1_000);
  expect(lines.join("")).not.toContain("\u001b");
});
