import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WispRig, writeTree, type Ended } from "./wisp-rig.ts";

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

const AGENT = "#!/bin/sh\nexit 0\n";
const CONFIG = "engine: { command: [./agent.sh] }\n";
const FILES = { "agent.sh": AGENT, ".wisp/config.yaml": CONFIG, "request.md": "# Say hello\n" };

let count = 0;

/** A repository in which `wisp start request.md` would work, with these files changed. */
function repository(files: Readonly<Record<string, string>> = {}): Promise<string> {
  count += 1;
  return rig.repository(`repository-${String(count)}`, { ...FILES, ...files });
}

/** Starts a session that must be refused, and checks that nothing was created. */
async function refused(cwd: string, words: readonly string[] = []): Promise<Ended> {
  const before = await traces(cwd);
  const given = words.length > 0 ? words : ["request.md"];
  const ended = await rig.run(["start", ...given, "--no-up"], { cwd });
  expect(ended.stdout).toBe("");
  expect(await traces(cwd)).toEqual(before);
  return ended;
}

/** Everything that a session leaves behind. */
async function traces(cwd: string): Promise<unknown> {
  const list = async (...path: readonly string[]) => {
    const names = await readdir(join(...path)).catch(() => []);
    // The compiled form of the program, and its copy, belong to no session.
    return names.filter((name) => ![".code", ".programs"].includes(name));
  };
  const branches = await rig.git(cwd, "branch", "--list").catch(() => "");
  return {
    branches,
    wisp: await list(cwd, ".wisp"),
    sessions: await list(cwd, ".wisp", "sessions"),
    state: await list(rig.root, "home", ".local", "state", "wisp"),
  };
}

test("outside a git repository", async () => {
  const cwd = join(rig.root, "plain");
  await writeTree(cwd, FILES);
  const { code, stderr } = await refused(cwd);
  expect(stderr).toContain(`wisp: ${cwd} is not in a git repository.`);
  expect(stderr).toContain("git init");
  expect(code).toBe(2);
});

test("in a bare repository", async () => {
  const cwd = join(rig.root, "bare.git");
  await rig.git(rig.root, "init", "--quiet", "--bare", cwd);
  const { code, stderr } = await refused(cwd);
  expect(stderr).toContain("is a bare git repository");
  expect(code).toBe(2);
});

test("in a repository without commits", async () => {
  const cwd = join(rig.root, "unborn");
  await writeTree(cwd, FILES);
  await rig.git(cwd, "init", "--quiet");
  const { code, stderr } = await refused(cwd);
  expect(stderr).toContain("has no commit to start from");
  expect(code).toBe(2);
});

test("without an author", async () => {
  const cwd = await repository();
  const env = { GIT_AUTHOR_NAME: "", GIT_AUTHOR_EMAIL: "" };
  const { code, stderr } = await rig.run(["start", "request.md", "--no-up"], { cwd, env });
  expect(stderr).toContain('git config --global user.name "Your Name"');
  expect(stderr).toContain('git config --global user.email "you@example.com"');
  expect(code).toBe(2);
});

test.each([
  ["missing.md", undefined, "There is no file"],
  ["empty.md", " \n\t\n", "is empty"],
  ["binary.md", "a\0b", "is not UTF-8 text"],
  ["latin.md", Buffer.from([0x63, 0x61, 0x66, 0xe9]), "is not UTF-8 text"],
  [".", undefined, "is not a regular file"],
  ["large.md", "x".repeat(4 * 1024 * 1024 + 1), "is larger than 4 MiB"],
])("with the request %s", async (name, content, message) => {
  const cwd = await repository();
  if (content !== undefined) await writeFile(join(cwd, name), content);
  const { code, stderr } = await refused(cwd, [name]);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

test("with a branch that already exists", async () => {
  const cwd = await repository();
  await rig.git(cwd, "branch", "taken");
  const { code, stderr } = await refused(cwd, ["request.md", "--branch", "taken"]);
  expect(stderr).toContain("There is a branch 'taken' already");
  expect(code).toBe(2);
});

test("with a branch that is checked out, here or in another work tree", async () => {
  const cwd = await repository();
  const elsewhere = join(rig.root, "elsewhere");
  await rig.git(cwd, "worktree", "add", "--quiet", "-b", "theirs", elsewhere);
  const here = await refused(cwd, ["request.md", "--branch", "main"]);
  expect(here.stderr).toContain(`The branch 'main' is checked out in ${cwd}`);
  const there = await refused(cwd, ["request.md", "--branch", "theirs"]);
  expect(there.stderr).toContain(`The branch 'theirs' is checked out in ${elsewhere}`);
  expect([here.code, there.code]).toEqual([2, 2]);
});

test.each(["a..b", "-x", "a b", "a\nb", "a\u001b[31m", "refs/", "@{-1}"])(
  "with %j as the name of the branch",
  async (branch) => {
    const cwd = await repository();
    const { code, stderr } = await refused(cwd, ["request.md", `--branch=${branch}`]);
    expect(stderr).toContain("git does not accept");
    expect(stderr.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    expect(code).toBe(2);
  },
);

test("with an unknown engine", async () => {
  const cwd = await repository({ ".wisp/config.yaml": "engine: replya\n" });
  const { code, stderr } = await refused(cwd);
  expect(stderr).toContain("There is no engine 'replya'");
  expect(stderr).toContain("Did you mean replay?");
  expect(code).toBe(2);
});

test.each([
  ["./absent.sh", "A path is relative to the top of the repository"],
  ["no-such-program", "Install it, and make sure that it is on PATH"],
])("with an engine whose executable %s is missing", async (executable, hint) => {
  const cwd = await repository({ ".wisp/config.yaml": `engine: { command: [${executable}] }\n` });
  const { code, stderr } = await refused(cwd);
  expect(stderr).toContain(`executable ${executable} was not found`);
  expect(stderr).toContain(hint);
  expect(code).toBe(2);
});

test("without an engine: says what to install, and never falls back to a recording", async () => {
  const cwd = await repository({ ".wisp/config.yaml": "# nothing yet\n" });
  const { code, stderr } = await refused(cwd);
  expect(stderr).toContain("No engine is configured, and none was found");
  expect(stderr).toContain("npm install");
  expect(code).toBe(2);
});

test("with the engine replay, and no recording or a broken one", async () => {
  const replay = { ".wisp/config.yaml": "engine: replay\n" };
  const without = await refused(await repository(replay));
  expect(without.stderr).toContain("there is none at");
  const broken = { ".wisp/cassette.yaml": "version: 1\nturns:\n  - on: {}\n    do: [dance: 1]\n" };
  const { code, stderr } = await refused(await repository({ ...replay, ...broken }));
  expect(stderr).toContain(".wisp/cassette.yaml:4: turns[0].do[0].dance");
  expect([without.code, code]).toEqual([2, 2]);
});

test("with invalid settings: reports every mistake by line and key", async () => {
  const settings = `${CONFIG}verfy: [npm, test]\nreplan: sometimes\n`;
  const cwd = await repository({ ".wisp/config.yaml": settings });
  const { code, stderr } = await refused(cwd);
  expect(stderr).toContain("The settings have 2 mistakes.");
  expect(stderr).toContain("config.yaml:2:1: unknown key verfy. Did you mean verify?");
  expect(stderr).toMatch(/config\.yaml:3:\d+: replan: expected one of changed, always, never/);
  expect(code).toBe(2);
});

test("with an unknown session: exits with 3 and lists the existing ones", async () => {
  const cwd = await repository();
  const none = await rig.run(["status"], { cwd });
  expect(none.stderr).toContain("There is no session in");
  await rig.run(["start", "request.md", "--no-up"], { cwd });
  for (const words of [["status"], ["up"], ["stop"], ["logs", "--session"], ["agent", "builder"]]) {
    const { code, stderr } = await rig.run([...words, "nope"], { cwd });
    expect(stderr).toContain("There is no session 'nope'");
    expect(stderr).toContain("wisp status say-hello");
    expect(code).toBe(3);
  }
  expect(none.code).toBe(3);
});

test("with --json, a failure is an object on standard output", async () => {
  const cwd = await repository();
  const { code, stdout, stderr } = await rig.run(["status", "nope", "--json"], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    error: { code: "no-such-session", message: `There is no session 'nope' in ${cwd}.` },
  });
  expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
});
