import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { need } from "../../src/base/fatal.ts";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { createHost } from "../../src/host/host.ts";
import { processSession, WISP, type Ended, type ProcessSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";

/*
 * `wisp prune` removes the files of sessions that are over, and nothing else.
 */

/** A repository with sessions that were created and never run. */
function withSessions(...ids: readonly string[]): Promise<ProcessSession> {
  return started(processSession({ scenario: ONE_TASK }), ids);
}

async function started(session: ProcessSession, ids: readonly string[]): Promise<ProcessSession> {
  for (const id of ids) {
    const words = ["start", "request.md", "--no-up", "--yes", "--branch", `wisp/${id}`];
    expect(await session.wisp(...words)).toMatchObject({ code: 0 });
    session.write("request.md", `# Another request\n\nBesides ${id}.\n`);
  }
  return session;
}

function stateOf(session: ProcessSession, id: string): string {
  return SessionJson.parse(JSON.parse(session.read("session.json", id))).state;
}

/** Everything that sessions keep: names in the folder of homes and in the state directory. */
function kept(session: ProcessSession): readonly string[] {
  const homes = join(session.repository, ".wisp", "sessions");
  const root = join(session.env["HOME"] ?? "", ".local/state/wisp");
  const states = existsSync(root) ? readdirSync(root).map((name) => join(root, name)) : [];
  return [homes, ...states.filter((path) => !/\/\.(?:code|programs)$/u.test(path))]
    .flatMap((path) => (existsSync(path) ? readdirSync(path) : []))
    .filter((name) => !name.startsWith(".") || name.startsWith(".gone"))
    .sort();
}

function refsOf(session: ProcessSession): string {
  return session.git("for-each-ref", "--format=%(refname) %(objectname)");
}

/** A command somewhere else than in the session's repository. */
function wispIn(session: ProcessSession, cwd: string, ...words: readonly string[]): Promise<Ended> {
  const { env } = session;
  const child = spawn(process.execPath, [WISP, ...words], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (data: Buffer) => (output.stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => (output.stderr += data.toString()));
  return new Promise((resolve) => {
    child.once("close", (code) => {
      resolve({ code, ...output });
    });
  });
}

test("prune shows what sessions take, and removes those that are over only when that is confirmed", async () => {
  await using session = await withSessions("one", "two", "three");
  expect(await session.wisp("abandon", "one", "--yes")).toMatchObject({ code: 0 });
  expect(await session.wisp("abandon", "three", "--yes")).toMatchObject({ code: 0 });
  const before = { kept: kept(session), refs: refsOf(session) };

  const dry = await session.wisp("prune", "--dry-run");
  expect(dry.code).toBe(0);
  expect(dry.stdout).toMatch(
    /^one +\d+s +\d+ KiB {2}can be removed \(records \d+ KiB, copies \d+ KiB\)$/mu,
  );
  expect(dry.stdout).toMatch(/^two +\d+s +\d+ KiB {2}kept: not finished/mu);
  expect(dry.stdout).toMatch(/^Can be removed: 2 sessions, \d+ KiB\.$/mu);
  const nobody = await session.wisp("prune");
  const ageless = (text: string) => text.replaceAll(/ +\d+s\b/gu, " -");
  expect(nobody.code).toBe(4);
  expect(ageless(nobody.stdout)).toBe(ageless(dry.stdout));
  expect(nobody.stderr).toContain("  wisp prune --yes");
  const json = await session.wisp("prune", "--json");
  expect(json.code).toBe(4);
  expect(JSON.parse(json.stdout)).toMatchObject({ schema: "wisp.error/1" });
  const young = await session.wisp("prune", "--older-than", "1d", "--yes");
  expect(young.stdout).toContain("kept: too recent");
  expect({ kept: kept(session), refs: refsOf(session) }).toEqual(before);

  const named = await session.wisp("prune", "wisp/one", "--yes", "--json");
  expect(JSON.parse(named.stdout)).toMatchObject({
    schema: "wisp.prune/1",
    sessions: [{ session: "one", isRemoved: true }],
  });
  expect(kept(session)).toEqual(["three", "three", "two", "two"]);
  expect((await session.wisp("prune", "--yes")).stdout).toMatch(
    /^Removed: 1 session, \d+ KiB\.$/mu,
  );
  expect(kept(session)).toEqual(["two", "two"]);
  expect(refsOf(session)).toBe(before.refs);
  expect(session.home()).toSatisfy((link: string) =>
    readFileSync(join(link, "session.json"), "utf8").includes('"two"'),
  );
  const list = await session.wisp("list");
  expect(list.stderr).toBe("");
  expect(list.stdout.split("\n").filter((line) => line !== "")).toHaveLength(1);
  expect((await session.wisp("prune")).stdout).toContain("Nothing can be removed.");
});

test("a session that is not finished is removed only by name and force, which say what is lost", async () => {
  await using session = await withSessions("one");
  const refs = refsOf(session);
  const refused = await session.wisp("prune", "one", "--yes");
  expect(refused.code).toBe(5);
  expect(refused.stderr).toMatch(
    /not finished\.\nWith --force, this is lost: the records.*\n {2}wisp status one\n {2}wisp prune one --force\n/u,
  );
  expect((await session.wisp("prune", "--force", "--yes")).code).toBe(2);
  expect((await session.wisp("prune", "--older-than", "soon")).code).toBe(2);
  expect((await session.wisp("prune", "none", "--yes")).code).toBe(3);
  expect(kept(session)).toEqual(["one", "one"]);
  expect((await session.wisp("prune", "one", "--force")).code).toBe(4);
  expect(kept(session)).toEqual(["one", "one"]);
  expect((await session.wisp("prune", "one", "--force", "--yes")).code).toBe(0);
  expect(kept(session)).toEqual([]);
  expect(refsOf(session)).toBe(refs);
  expect(existsSync(join(session.repository, ".wisp/current"))).toBe(false);
});

test("a session on which a process works stays, whatever is asked, and an engine may not prune", async () => {
  await using session = await withSessions("one", "two");
  expect(await session.wisp("abandon", "one", "--yes")).toMatchObject({ code: 0 });
  expect(await session.wisp("abandon", "two", "--yes")).toMatchObject({ code: 0 });
  const { locks } = createHost();
  const lease = need(await locks.takeLease(join(session.home("one"), "locks/reviewer.lock")));
  expect((await session.wisp("prune", "--dry-run")).stdout).toMatch(
    /^one .*a process works on it/mu,
  );
  expect((await session.wisp("prune", "one", "--force", "--yes")).code).toBe(5);
  expect((await session.wisp("prune", "--yes")).code).toBe(0);
  expect(kept(session)).toEqual(["one", "one"]);
  await lease.release();
  session.env["WISP_RUN_ID"] = "of-a-turn";
  expect((await session.wisp("prune", "--yes")).code).toBe(1);
  expect(kept(session)).toEqual(["one", "one"]);
});

test("links inside a home are removed and never followed, and a home that is a link stays", async () => {
  await using session = await withSessions("one", "two");
  for (const id of ["one", "two"]) {
    expect(await session.wisp("abandon", id, "--yes")).toMatchObject({ code: 0 });
  }
  const outside = join(session.root, "outside");
  mkdirSync(join(outside, "folder"), { recursive: true });
  writeFileSync(join(outside, "folder", "file"), "mine\n");
  symlinkSync(join(outside, "folder"), join(session.home("one"), "logs", "away"));
  symlinkSync(join(outside, "folder", "file"), join(session.home("one"), "edits"));
  symlinkSync(outside, join(stateOf(session, "one"), "away"));
  const moved = join(session.root, "two");
  renameSync(session.home("two"), moved);
  symlinkSync(moved, session.home("two"));
  expect((await session.wisp("prune", "--yes")).code).toBe(0);
  expect(readFileSync(join(outside, "folder", "file"), "utf8")).toBe("mine\n");
  expect(kept(session)).toEqual(["two", "two"]);
  expect(lstatSync(session.home("two")).isSymbolicLink()).toBe(true);
  expect(existsSync(join(moved, "session.json"))).toBe(true);
});

test("a home that names a folder outside of the state directory takes nothing with it", async () => {
  await using session = await withSessions("one");
  expect(await session.wisp("abandon", "one", "--yes")).toMatchObject({ code: 0 });
  const path = join(session.home("one"), "session.json");
  const precious = join(session.root, "precious");
  mkdirSync(precious);
  const json = SessionJson.parse(JSON.parse(readFileSync(path, "utf8")));
  writeFileSync(path, JSON.stringify({ ...json, state: precious }));
  const aside = join(dirname(session.home("one")), ".gone-two-2026-01-01T00-00-00-000Z");
  mkdirSync(aside);
  const other = { ...json, id: "two", createdAt: "2026-01-01T00:00:00.000Z", state: precious };
  writeFileSync(join(aside, "session.json"), JSON.stringify(other));
  const { code, stdout } = await session.wisp("prune", "--yes");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^one .*kept: its files are in another state directory/mu);
  expect(existsSync(precious)).toBe(true);
  expect(existsSync(aside)).toBe(false);
});

/** Makes a file that is as old as what a killed process left two days ago. */
function leave(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "{");
  const then = Date.now() / 1_000 - 2 * 24 * 60 * 60;
  utimesSync(path, then, then);
  return path;
}

test("what killed processes were about to put in its place is removed when it is old, by list and by prune", async () => {
  await using session = await withSessions("one");
  const state = stateOf(session, "one");
  const beside = dirname(state);
  const [commands, recent] = ["0123456789ab", "ba9876543210"].map((id) =>
    leave(join(beside, `..commands.json.${id}.tmp`)),
  );
  const inner = leave(join(state, "plans", ".a.md.0123456789ab.tmp"));
  const ofAgent = leave(join(state, "builder", "clone", ".a.md.0123456789ab.tmp"));
  const isThere = () => [commands, recent, inner, ofAgent].map((path) => existsSync(path ?? ""));
  utimesSync(recent ?? "", new Date(), new Date());
  expect((await session.wisp("list")).code).toBe(0);
  expect(isThere()).toEqual([false, true, true, true]);
  const { stdout } = await session.wisp("prune", "--dry-run");
  expect(stdout).toContain(`${inner}  `);
  expect(stdout).toContain("left by a process that was killed");
  expect((await session.wisp("prune", "--yes")).code).toBe(0);
  expect(isThere()).toEqual([false, true, false, true]);
});

test("the folder of a repository goes with its last session, whatever killed processes left in it", async () => {
  await using session = await withSessions("one");
  expect(await session.wisp("abandon", "one", "--yes")).toMatchObject({ code: 0 });
  const beside = dirname(stateOf(session, "one"));
  writeFileSync(join(beside, "..commands.json.0123456789ab.tmp"), "{");
  rmSync(session.repository, { recursive: true });
  const away = join(session.root, "away");
  mkdirSync(away);
  expect((await wispIn(session, away, "prune", "--yes")).code).toBe(0);
  expect(existsSync(beside)).toBe(false);
});

test("sessions whose repository or home is gone are found, and removed like others", async () => {
  await using session = await withSessions("one", "two", "three");
  expect(await session.wisp("abandon", "one", "--yes")).toMatchObject({ code: 0 });
  expect(await session.wisp("abandon", "three", "--yes")).toMatchObject({ code: 0 });
  rmSync(session.home("three"), { recursive: true });
  expect((await session.wisp("prune", "three", "--yes")).code).toBe(0);
  expect(kept(session)).toEqual(["one", "one", "two", "two"]);
  const two = stateOf(session, "two");
  mkdirSync(join(two, "builder", "clone"), { recursive: true });
  rmSync(session.repository, { recursive: true });
  const away = join(session.root, "away");
  mkdirSync(away);
  const prune = (...words: readonly string[]) => wispIn(session, away, "prune", ...words);
  const { stdout } = await prune("--dry-run");
  expect(stdout).toMatch(/^one \(\S+, which is gone\) .*can be removed/mu);
  expect(stdout).toMatch(/^two \(\S+, which is gone\) .*kept: not finished/mu);
  expect((await prune("--yes")).code).toBe(0);
  expect(kept(session)).toEqual(["two"]);
  const refused = await prune("two", "--yes");
  expect(refused.stderr).toContain(join(two, "builder", "clone"));
  expect(refused.code).toBe(5);
  expect((await prune(two, "--force", "--yes")).code).toBe(0);
  expect(kept(session)).toEqual([]);
});
