import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { identify } from "../../src/host/processes/process-identity.ts";
import { ownMark } from "../../src/host/processes/process-mark.ts";
import { WispRig } from "./wisp-rig.ts";

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

const FILES = {
  "agent.sh": "#!/bin/sh\nexit 0\n",
  ".wisp/config.yaml": "engine: { command: [./agent.sh] }\n",
  // A session keeps copies of these, so a killed start can leave them behind.
  ".wisp/reviewers/mine.md": "---\nlevel: warning\n---\n\nLook.\n",
  ".wisp/templates/build.md": "Build.\n",
  "request.md": "# Say hello\n",
};
/** Failpoints of a start between the first thing that it creates and the last. */
const POINTS = [
  "git.update-ref.before:1",
  "git.update-ref.after:1",
  "mkdir.after:3",
  "link.after:1",
  "link.after:3",
  "rename.before:2",
  "rename.after:2",
];
/** The name by which a killed start is recognized, and a pid that no process has. */
const NAME = ".new-6f1e9d2a-0000-4000-8000-000000000000";
const NOBODY = 4_194_303;

let count = 0;
function repository(): Promise<string> {
  count += 1;
  return rig.repository(`repository-${String(count)}`, FILES);
}

function start(cwd: string, env: Readonly<Record<string, string>> = {}) {
  const words = ["start", "request.md", "--no-up", "--branch", "wisp/say-hello"];
  return rig.run(words, { cwd, env });
}

function branches(cwd: string): Promise<string> {
  return rig.git(cwd, "for-each-ref", "--format=%(refname:short)", "refs/heads");
}

function inSessions(cwd: string): readonly string[] {
  return readdirSync(join(cwd, ".wisp/sessions"));
}

test.each(POINTS)("the next start removes what a start killed at %s left", async (point) => {
  const cwd = await repository();
  expect((await start(cwd, { WISP_FAILPOINT: point })).code).toBe(128);
  const again = await start(cwd);
  // Either the name is free again, or the session of that name was created.
  const isMade = again.code !== 0;
  expect(again.stderr).toContain(isMade ? "There is a branch" : "on branch wisp/say-hello,");
  if (isMade)
    expect((await rig.run(["start", "request.md", "--no-up", "--again"], { cwd })).code).toBe(0);
  expect(inSessions(cwd).filter((name) => name.startsWith("."))).toEqual([]);
  const made = inSessions(cwd).map((name) => `wisp/${name}`);
  expect(await branches(cwd)).toBe(["main", ...made].join("\n"));
  const session = readFileSync(join(cwd, ".wisp/sessions/say-hello/session.json"), "utf8");
  expect(session).toMatch(/\/say-hello"/);
});

/** What a start leaves if it was killed after it had created its branch; `by` is its process. */
async function leftBy(cwd: string, by: { readonly pid: number; readonly startTime: string }) {
  const draft = join(cwd, ".wisp/sessions", NAME);
  mkdirSync(join(draft, "logs"), { recursive: true });
  const base = await rig.git(cwd, "rev-parse", "HEAD");
  const note = `wisp: start ${NAME}`;
  const branch = ["--create-reflog", "-m", note, "refs/heads/wisp/say-hello", base];
  await rig.git(cwd, "update-ref", ...branch);
  const mark = { by: { ...ownMark(), ...by }, branch: "wisp/say-hello", base, state: draft };
  writeFileSync(`${draft}.json`, JSON.stringify(mark));
  return { draft, base };
}

test("leaves alone what a running start has created so far", async () => {
  const cwd = await repository();
  const { pid } = process;
  const { draft } = await leftBy(cwd, { pid, startTime: identify(pid)?.startTime ?? "" });
  expect((await start(cwd)).code).not.toBe(0);
  expect((await rig.run(["start", "request.md", "--no-up", "--again"], { cwd })).code).toBe(0);
  expect(existsSync(`${draft}/logs`)).toBe(true);
  expect(existsSync(`${draft}.json`)).toBe(true);
  expect(await branches(cwd)).toBe("main\nwisp/say-hello\nwisp/say-hello-2");
});

test("never removes the branch of a killed start if somebody has used or recreated it", async () => {
  const dead = { pid: NOBODY, startTime: "1" };
  const used = await repository();
  const first = await leftBy(used, dead);
  const commit = await rig.git(used, "commit-tree", "-p", "HEAD", "-m", "Mine", "HEAD^{tree}");
  await rig.git(used, "update-ref", "refs/heads/wisp/say-hello", commit);
  await rig.git(used, "update-ref", "refs/heads/wisp/say-hello", first.base);
  const own = await repository();
  await leftBy(own, dead);
  await rig.git(own, "branch", "-D", "wisp/say-hello");
  await rig.git(own, "branch", "wisp/say-hello");
  const out = await repository();
  await leftBy(out, dead);
  await rig.git(out, "checkout", "-q", "wisp/say-hello");
  for (const cwd of [used, own, out]) {
    expect((await rig.run(["start", "request.md", "--no-up", "--again"], { cwd })).code).toBe(0);
    expect(await branches(cwd)).toBe("main\nwisp/say-hello\nwisp/say-hello-2");
    expect(existsSync(join(cwd, ".wisp/sessions", NAME))).toBe(false);
  }
});

test("fsck --repair removes what a killed start left", async () => {
  const cwd = await repository();
  expect((await start(cwd)).code).toBe(0);
  const words = ["start", "request.md", "--no-up", "--again"];
  const env = { WISP_FAILPOINT: "mkdir.after:3" };
  expect((await rig.run(words, { cwd, env })).code).toBe(128);
  expect(await branches(cwd)).toBe("main\nwisp/say-hello\nwisp/say-hello-2");
  expect((await rig.run(["fsck", "--repair"], { cwd })).code).toBe(0);
  expect(inSessions(cwd)).toEqual(["say-hello"]);
  expect(await branches(cwd)).toBe("main\nwisp/say-hello");
});

test.each([
  ["a second start", ["start", "request.md", "--no-up"], 2],
  ["up", ["up", "say-hello-2"], 5],
] as const)(
  "after a start was killed before it updated `current`, %s updates it",
  async (_, words, code) => {
    const cwd = await rig.repository(`pointed-${words[0]}`, {
      ...FILES,
      ".wisp/config.yaml": `${FILES[".wisp/config.yaml"]}attempts: { unit: 1 }\n`,
      "other.md": "# Say hello\n\nLouder.\n",
    });
    const current = join(cwd, ".wisp/current");
    expect((await rig.run(["start", "other.md", "--no-up"], { cwd })).code).toBe(0);
    const env = { WISP_FAILPOINT: "symlink.before:1" };
    expect((await rig.run(["start", "request.md", "--no-up"], { cwd, env })).code).toBe(128);
    expect(readlinkSync(current)).toBe("sessions/say-hello");
    expect((await rig.run(words, { cwd })).code).toBe(code);
    expect(readlinkSync(current)).toBe("sessions/say-hello-2");
    // A session that is not the newest continues where it is; only a dangling link is corrected.
    await rig.run(["up", "say-hello"], { cwd });
    expect(readlinkSync(current)).toBe("sessions/say-hello-2");
    rmSync(current);
    await rig.run(["up", "say-hello"], { cwd });
    expect(readlinkSync(current)).toBe("sessions/say-hello-2");
  },
);
