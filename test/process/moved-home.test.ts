import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ROLES } from "../../src/base/role.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { processSession, type Ended, type ProcessSession } from "../rig/process-session.ts";
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

function expectRefused({ code, stderr }: Ended, words: string): void {
  expect(stderr).toContain(words);
  expect(code).toBe(1);
}

test.each(ROLES)("the %s ends with 1 and says where the session is", async (role) => {
  expectRefused(await session.wisp("agent", role, ID), AWAY);
  expect(filesOf(session.home(ID))).toEqual(before);
});

test("a supervisor that is started by hand ends with 1, and starts no role", async () => {
  expectRefused(await session.wisp("supervise", ID), AWAY);
  expect(filesOf(session.home(ID))).toEqual(before);
});

test.each([
  `up ${ID}`,
  `up ${ID} --detach`,
  `resume ${ID}`,
  `stop ${ID}`,
  `restart builder ${ID}`,
  `update request.md ${ID}`,
  `abandon ${ID} --yes`,
  `findings add request.md:1 wrong --session ${ID}`,
  `tasks ${ID} --adopt plan.md`,
  `fsck ${ID} --repair`,
  `attach builder ${ID}`,
])("wisp %s changes nothing, and says where the session is", async (words) => {
  session.write("plan.md", "## Milestone: One\n\n- [ ] Say hello\n");
  expectRefused(await session.wisp(...words.split(" ")), AWAY);
  expect(filesOf(session.home(ID))).toEqual(before);
  expect(session.git("rev-parse", `wisp/${ID}`)).toBe(session.git("rev-parse", "main"));
});

test("prune keeps it, and done ships nothing", async () => {
  const pruned = await session.wisp("prune", ID, "--yes", "--force");
  expect(pruned.stdout + pruned.stderr).toContain("Nothing can be removed");
  expectRefused(await session.wisp("done", ID, "--yes"), AWAY);
  expect(filesOf(session.home(ID))).toEqual(before);
});

test("its files can be looked at, and nothing is written for that", async () => {
  for (const words of [["status"], ["list"], ["log"], ["fsck"], ["report"], ["tasks"]]) {
    expect([words, (await session.wisp(...words)).code]).toEqual([words, 0]);
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
  expect(code).toBe(0);
  expect(stderr).toContain(`${ID}.html`);
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
    expectRefused(await session.wisp(...words, ID), "mirrors a session that runs on ssh:box");
  }
  expect((await session.wisp("report", ID, "--html")).code).toBe(0);
  expect(filesOf(session.home(ID))).toEqual(mirrored);
});
