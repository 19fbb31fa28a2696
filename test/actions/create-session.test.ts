import { lstat, mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { WispRig, writeTree } from "../cli/wisp-rig.ts";

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

const FILES = {
  "agent.sh": "#!/bin/sh\nexit 0\n",
  ".wisp/config.yaml": "engine: { command: [./agent.sh, --fast] }\n",
  "request.md": "# Say hello\n",
  "package.json": '{ "scripts": { "test": "true" } }\n',
};

let count = 0;
function repository(files: Readonly<Record<string, string>> = {}, on = rig): Promise<string> {
  count += 1;
  return on.repository(`repository-${String(count)}`, { ...FILES, ...files });
}

function make(cwd: string, ...words: readonly string[]) {
  // These tests create several sessions of one request on purpose.
  return rig.run(["start", "request.md", "--no-up", "--again", ...words], { cwd });
}

async function sessionOf(cwd: string, id: string): Promise<SessionJson> {
  const text = await readFile(join(cwd, ".wisp/sessions", id, "session.json"), "utf8");
  return SessionJson.parse(JSON.parse(text));
}

test("a new session freezes everything that its roles decide by", async () => {
  const cwd = await repository();
  const head = await rig.git(cwd, "rev-parse", "HEAD");
  expect((await make(cwd)).code).toBe(0);
  const session = await sessionOf(cwd, "say-hello");
  expect(session).toMatchObject({
    id: "say-hello",
    branch: "wisp/say-hello",
    base: head,
    repository: cwd,
    identity: { name: "Ada", email: "ada@example.com" },
    verify: [["npm", "test"]],
    setup: [],
  });
  expect(session.engines.tester.argv).toEqual([join(cwd, "agent.sh"), "--fast"]);
  expect(await rig.git(cwd, "rev-parse", "wisp/say-hello")).toBe(head);
  expect(await readFile(join(cwd, ".wisp/sessions/say-hello/request.md"), "utf8")).toBe(
    "# Say hello\n",
  );
});

test("a home can be entered by its user alone, and its clones are outside the checkout", async () => {
  const cwd = await repository();
  await make(cwd);
  const { state } = await sessionOf(cwd, "say-hello");
  const modes = await Promise.all(
    [".wisp/sessions/say-hello", ".wisp/sessions/say-hello/logs", ".wisp/sessions/say-hello/locks"]
      .map((path) => join(cwd, path))
      .concat(state)
      .map(async (path) => ((await lstat(path)).mode & 0o777).toString(8)),
  );
  expect(modes).toEqual(["700", "700", "700", "700"]);
  expect(state.startsWith(join(rig.root, "home", ".local", "state", "wisp", "repository-"))).toBe(
    true,
  );
});

test("a new session does not show up in git status and leaves the checkout unchanged", async () => {
  const cwd = await repository();
  await make(cwd);
  expect(await rig.git(cwd, "status", "--porcelain")).toBe("");
  expect(await rig.git(cwd, "rev-parse", "--abbrev-ref", "HEAD")).toBe("main");
  const exclude = await readFile(join(cwd, ".git/info/exclude"), "utf8");
  await make(cwd);
  expect(await readFile(join(cwd, ".git/info/exclude"), "utf8")).toBe(exclude);
});

test("`current` points to the newest session, whose milestones.log exists at once", async () => {
  const cwd = await repository();
  await make(cwd);
  await make(cwd);
  expect(await readlink(join(cwd, ".wisp/current"))).toBe("sessions/say-hello-2");
  expect(await readFile(join(cwd, ".wisp/current/logs/milestones.log"), "utf8")).toBe("");
});

test("a second session of a request is numbered, skipping branches and homes that exist", async () => {
  const cwd = await repository();
  await rig.git(cwd, "branch", "wisp/say-hello");
  await mkdir(join(cwd, ".wisp/sessions/say-hello-2"), { recursive: true });
  await make(cwd);
  expect((await sessionOf(cwd, "say-hello-3")).branch).toBe("wisp/say-hello-3");
});

test("sessions that are created at the same time get different names", async () => {
  const cwd = await repository();
  const made = await Promise.all([make(cwd), make(cwd), make(cwd)]);
  expect(made.map(({ code }) => code)).toEqual([0, 0, 0]);
  const names = await readdir(join(cwd, ".wisp/sessions"));
  expect(names.sort()).toEqual(["say-hello", "say-hello-2", "say-hello-3"]);
});

test.each([
  ["feature/hello", "feature-hello"],
  ["a;touch${IFS}x", "a-touch-ifs-x"],
  ["it's|a`pipe`", "it-s-a-pipe"],
  ["🎉", "session"],
])("accepts the branch name %s", async (branch, id) => {
  const cwd = await repository();
  const { code, stderr } = await make(cwd, "--branch", branch);
  expect(stderr).toContain(`Session ${id} on branch`);
  expect(code).toBe(0);
  expect((await sessionOf(cwd, id)).branch).toBe(branch);
  expect((await rig.run(["status", branch, "--json"], { cwd })).stdout).toContain(
    `"session": "${id}"`,
  );
});

test("accepts a request outside the repository, with any file name, and through a link", async () => {
  const cwd = await repository();
  const outside = join(rig.root, "outside");
  await writeTree(outside, { "[brackets] $(id).md": "no heading here\n" });
  const given = join(outside, "[brackets] $(id).md");
  const { code, stderr } = await rig.run(["start", given, "--no-up"], { cwd });
  expect(stderr).toContain("Session brackets-id on branch wisp/brackets-id");
  expect(stderr).not.toContain("not committed");
  expect(code).toBe(0);
});

test("warns about uncommitted changes and an uncommitted request, and creates the session", async () => {
  const cwd = await repository();
  await writeTree(cwd, { "agent.sh": "#!/bin/sh\nexit 1\n", "new.md": "# More\n" });
  const { code, stderr } = await rig.run(["start", "new.md", "--no-up"], { cwd });
  expect(stderr).toContain("1 file changed but not committed");
  expect(stderr).toContain("the request is not committed");
  expect(code).toBe(0);
});

test("finds the session from a subdirectory and from a linked work tree", async () => {
  const cwd = await repository({ "deep/er/file": "x\n" });
  await make(cwd);
  const linked = join(rig.root, "linked");
  await rig.git(cwd, "worktree", "add", "--quiet", "-b", "other", linked);
  for (const place of [join(cwd, "deep/er"), linked]) {
    const { stdout } = await rig.run(["status", "--json"], { cwd: place });
    expect(JSON.parse(stdout)).toMatchObject({ session: "say-hello" });
  }
});

test("refuses to run a session that was copied together with its repository", async () => {
  const cwd = await repository();
  await make(cwd);
  const copy = join(rig.root, "copy");
  await rig.git(rig.root, "clone", "--quiet", cwd, copy);
  await writeTree(copy, {
    ".wisp/sessions/say-hello/session.json": await readFile(
      join(cwd, ".wisp/sessions/say-hello/session.json"),
      "utf8",
    ),
  });
  const { code, stderr } = await rig.run(["up"], { cwd: copy });
  expect(stderr).toContain(`The session say-hello belongs to ${cwd}, not to ${copy}.`);
  expect(code).toBe(1);
});

/** An obstacle for a step of the start, and what the message must name. */
const OBSTACLES: readonly (readonly [
  string,
  (cwd: string, on: WispRig) => Promise<unknown>,
  string,
])[] = [
  [
    "a file in the place of the sessions",
    (cwd) => writeFile(join(cwd, ".wisp/sessions"), "in the way"),
    ".wisp/sessions",
  ],
  [
    "a file in the place of the clones",
    (_, on) => writeTree(join(on.root, "home"), { ".local/state/wisp": "in the way" }),
    ".local/state/wisp",
  ],
  [
    "a folder in the place of the link to the current session",
    (cwd) => writeTree(join(cwd, ".wisp/current"), { file: "in the way" }),
    ".wisp/current",
  ],
  [
    "a branch that prevents branches below it",
    (cwd, on) => on.git(cwd, "branch", "wisp"),
    "branch 'wisp'",
  ],
];

test.each(OBSTACLES)(
  "with %s, the start fails and leaves nothing behind",
  async (_, obstruct, named) => {
    await using own = await WispRig.create();
    const cwd = await repository({}, own);
    await obstruct(cwd, own);
    const before = await tree(own.root);
    const branches = await own.git(cwd, "for-each-ref");
    const { code, stderr } = await own.run(["start", "request.md", "--no-up"], { cwd });
    expect(stderr).toContain(named);
    expect(code).not.toBe(0);
    expect(await tree(own.root)).toEqual(before);
    expect(await own.git(cwd, "for-each-ref")).toBe(branches);
  },
);

/** The insides of git, where `info/exclude` may remain, and wisp itself, installed and compiled. */
const NOT_LEFT =
  /(?:^|\/)\.git\/|^package\/|^home\/\.local(?:\/state(?:\/wisp(?:\/\.code(?:\/.*)?)?)?)?$/;

/** All paths that a start may have left. */
async function tree(root: string): Promise<readonly string[]> {
  const paths = await readdir(root, { recursive: true });
  return paths.filter((path) => !NOT_LEFT.test(path)).sort();
}
