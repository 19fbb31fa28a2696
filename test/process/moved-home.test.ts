import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ROLES } from "../../src/base/role.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";

/*
 * A session that moved to another machine: in the home that it left, no process of wisp changes a byte.
 */

const ID = "task";
const MOVED = encodeRecord(HumanRecord, {
  ...{ kind: "moved", time: "2026-11-20T12:00:00.000Z" },
  ...{ to: "ssh:box", id: "0f3c" },
});

let session: ProcessSession;
let before: ReadonlyMap<string, string>;

beforeAll(async () => {
  session = processSession({ scenario: ONE_TASK });
  const made = await session.wisp(
    ...["start", "request.md", "--branch", `wisp/${ID}`, "--no-up", "--yes"],
  );
  expect(made).toMatchObject({ code: 0 });
  appendFileSync(join(session.home(ID), "logs/human.log"), MOVED);
});
beforeEach(() => {
  before = filesOf(session.home(ID));
});
afterAll(() => session[Symbol.asyncDispose]());

/** Every file of a home but its locks, by its path. */
function filesOf(home: string): ReadonlyMap<string, string> {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(home, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("locks/"));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(home, path), "latin1")]));
}

const AWAY = "moved to ssh:box, and is only written there";

test.each(ROLES)("the %s ends with 1 and says where the session is", async (role) => {
  const ended = await session.wisp("agent", role, ID);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(AWAY);
  expect(filesOf(session.home(ID))).toEqual(before);
});

test("a supervisor that is started by hand ends with 1, and starts no role", async () => {
  expect(await session.wisp("supervise", ID)).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining(AWAY) },
  });
  expect(filesOf(session.home(ID))).toEqual(before);
});

test.each([
  ["up"],
  ["up", "--detach"],
  ["resume"],
  ["stop"],
  ["restart", "builder"],
  ["update", "request.md"],
  ["abandon", "--yes"],
  ["findings", "add", "request.md:1", "It is wrong"],
  ["tasks", "--adopt", "plan.md"],
  ["fsck", "--repair"],
  ["attach", "builder"],
])("%s changes nothing and says where the session is: wisp %s %s", async (...words) => {
  session.write("plan.md", "## Milestone: One\n\n- [ ] Say hello\n");
  const { code, stderr } = await session.wisp(...words, ...named(words));
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(AWAY) });
  expect(filesOf(session.home(ID))).toEqual(before);
  expect(session.git("rev-parse", `wisp/${ID}`)).toBe(session.git("rev-parse", "main"));
});

function named([command = ""]: readonly string[]): readonly string[] {
  return ["tasks", "findings"].includes(command) ? ["--session", ID] : [ID];
}

test("prune keeps it, and done ships nothing", async () => {
  const pruned = await session.wisp("prune", ID, "--yes");
  expect(pruned.stdout + pruned.stderr).toContain("it runs on another machine");
  expect(await session.wisp("done", ID, "--yes")).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining(AWAY) },
  });
  expect(filesOf(session.home(ID))).toEqual(before);
});

test("its files can be looked at, and nothing is written for that", async () => {
  for (const words of [["status"], ["list"], ["log"], ["fsck"], ["report"], ["tasks"]]) {
    const ended = await session.wisp(...words);
    expect([words, ended.code, ended.stderr]).toEqual([words, 0, ended.stderr]);
  }
  expect(filesOf(session.home(ID))).toEqual(before);
});

test("status, list and fsck say that it moved, and where to", async () => {
  const words = "moved to ssh:box; what is here is as it was then";
  expect((await session.wisp("status", ID)).stdout).toContain(words);
  expect((await session.wisp("fsck", ID)).stdout).toContain(words);
  expect((await session.wisp("list")).stdout).toContain("moved to ssh:box");
  const status: unknown = JSON.parse((await session.wisp("status", ID, "--json")).stdout);
  expect(status).toMatchObject({ movedTo: "ssh:box" });
});

test("the page of its report is written to the current folder instead of the home", async () => {
  const { code, stderr } = await session.wisp("report", ID, "--html");
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`${ID}.html`) });
  expect(readFileSync(join(session.repository, `${ID}.html`), "utf8")).toContain("<html");
  expect(filesOf(session.home(ID))).toEqual(before);
});

test("a home that mirrors another one is left as it is too, by each role and by a supervisor", async () => {
  const place = join(session.home(ID), "place.json");
  const { repository, root } = session;
  const mirrors = { executor: "ssh:box", id: "one", root: "/there" };
  const placed = { version: 1, repository, state: join(root, "state"), mirrors };
  writeFileSync(place, JSON.stringify(placed));
  const mirrored = filesOf(session.home(ID));
  for (const words of [["supervise"], ...ROLES.map((role) => ["agent", role])]) {
    const { code, stderr } = await session.wisp(...words, ID);
    expect({ code, stderr }).toEqual({
      ...{ code: 1, stderr: expect.stringContaining("mirrors a session that runs on ssh:box") },
    });
  }
  expect((await session.wisp("report", ID, "--html")).code).toBe(0);
  expect(filesOf(session.home(ID))).toEqual(mirrored);
});
