import { mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { runIdOf } from "../../src/work/role-context.ts";
import { RUN_ID_VARIABLE } from "../../src/base/ports/processes.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { createHost } from "../../src/host/host.ts";
import {
  connect,
  connectRaw,
  diffIdOf,
  INITIALIZE,
  LIST_TOOLS,
  type Called,
} from "../rig/mcp-connection.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

const ID = "a-request";
const SAYS_MORE = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    const isItem = t.milestone.startsWith("RI-");
    if (isItem && t.prompt.includes("fail for ever")) return 1;
    t.put("hello.txt", (isItem ? t.read("hello.txt") : "") + "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;
const NEEDS = ["review", ID, "--no-start", "--request-revision"];

async function complete(): Promise<ProcessSession> {
  const session = processSession({ scenario: SAYS_MORE });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  return session;
}

/** Commands in an answer that do not say that the user has to run them. */
function commandsIn({ text }: Called): readonly string[] {
  const commands = text.match(/.{0,30}\b(?:wisp (?!is\b|\/)[a-z]+|kill \d+).{0,20}/gu) ?? [];
  return commands.filter((one) => !/ask the user to run:? wisp|`wisp [^`]+` \(which/u.test(one));
}

test("seed 001, phase 4.3: work_status reports the same revisions, turns and reviews as wisp status", async () => {
  await using session = await complete();
  expect(await session.wisp(...NEEDS, "Say more")).toMatchObject({ code: 0 });
  await using connection = await connect(session);
  const { call } = connection;
  const asked = await call("work_status");
  expect(asked.data).toMatchObject({
    state: "REVISION_REQUESTED",
    next: `resume_session with session "${ID}/revision-1", or abandon_revision with session "${ID}/revision-1"`,
    status: { session: `${ID}/revision-1`, parent: { session: ID, revision: 1 } },
  });
  const resumed = await call("resume_session");
  expect(resumed).toMatchObject({ isError: false, data: { goesOn: `${ID}/revision-1` } });
  const done = await call("work_status", { waitSeconds: 90 });
  const Shown = z.record(z.string(), z.unknown());
  const shown = Shown.parse(JSON.parse((await session.wisp("status", ID, "--json")).stdout));
  const { reviewed, spent, revised, revisions, fixed } = shown;
  expect(done.data).toMatchObject({
    state: "PENDING_REVIEW",
    status: { reviewed, spent, revised, revisions, fixed },
  });
  expect({ reviewed, revised }).toEqual({ reviewed: { commits: 2, of: 2 }, revised: 1 });
  expect(done.text).toContain("[1 revision]");
  expect(done.text).not.toContain("a stop is in force");
  expect(await call("resume_session")).toMatchObject({ isError: false, data: { isNew: false } });
  for (const answer of [asked, resumed, done, await call("review_changes")]) {
    expect(commandsIn(answer)).toEqual([]);
  }
});

test("an MCP client can resume or abandon a stuck revision, but a session's own engine cannot", async () => {
  await using session = await complete();
  expect(await session.wisp(...NEEDS, "This will fail for ever")).toMatchObject({ code: 0 });
  const revision = `${ID}/revision-1`;
  await session.wisp("up", revision, "--plain");
  await using connection = await connect(session);
  const { call } = connection;
  const stuck = await call("work_status");
  expect(stuck.data).toMatchObject({ state: "REVISION_IN_PROGRESS" });
  expect(stuck.text).toContain(`resume_session with session "${revision}"`);
  // An engine of the session may not speak for the person.
  session.env[RUN_ID_VARIABLE] = runIdOf(homeAt(realpathSync(session.home(revision))), "builder");
  await using inside = await connect(session);
  session.env[RUN_ID_VARIABLE] = undefined;
  for (const tool of ["resume_session", "abandon_revision"]) {
    expect(await inside.call(tool, { session: revision })).toMatchObject({
      isError: true,
      data: { error: { code: "engine-speaks" } },
    });
  }
  const wrong = await call("abandon_revision", { session: ID });
  expect(wrong).toMatchObject({ isError: true, data: { error: { code: "usage" } } });
  const ended = await call("abandon_revision", { session: revision });
  expect(ended).toMatchObject({ isError: false, data: { session: ID, abandoned: revision } });
  expect(await call("abandon_revision", { session: revision })).toMatchObject({ isError: false });
  const after = await call("work_status");
  expect(after.data).toMatchObject({ state: "PENDING_REVIEW" });
  const reviewed = await call("review_changes");
  const again = await call("request_revision", {
    diffId: diffIdOf(reviewed),
    feedback: "Say more",
  });
  expect(again).toMatchObject({ isError: false, data: { revision: `${ID}/revision-2` } });
  expect((await call("work_status", { waitSeconds: 90 })).data).toMatchObject({
    state: "PENDING_REVIEW",
  });
  for (const answer of [stuck, wrong, ended, after, reviewed, again]) {
    expect(commandsIn(answer)).toEqual([]);
  }
});

test("start_session refuses the request of an unfinished session unless `again` is set", async () => {
  await using session = processSession({ scenario: SAYS_MORE });
  const request = readFileSync(join(session.repository, "request.md"), "utf8");
  expect(await session.wisp("start", "request.md", "--no-up")).toMatchObject({ code: 0 });
  await using connection = await connect(session);
  const start = (more: object) =>
    connection.call("start_session", { request, run: false, ...more });
  const refused = await start({});
  expect(refused).toMatchObject({ isError: true, data: { error: { code: "already-started" } } });
  for (const way of [
    `work_status with session "${ID}"`,
    `resume_session with session "${ID}"`,
    "start_session with again: true",
  ]) {
    expect(refused.text).toContain(`  ${way}`);
  }
  expect(commandsIn(refused)).toEqual([]);
  expect(await start({ again: true })).toMatchObject({ data: { session: `${ID}-2` } });
  expect(await start({ branch: "topic/other" })).toMatchObject({
    data: { session: "topic-other" },
  });
  expect(await start({ request: `${request}\nTwice.\n` })).toMatchObject({ isError: false });
});

test("the second of two concurrent revision requests is told to try again, without a process to kill", async () => {
  await using session = await complete();
  await using connection = await connect(session);
  const { call } = connection;
  const diffId = diffIdOf(await call("review_changes"));
  const locks = join(session.home(ID), "locks");
  mkdirSync(locks, { recursive: true });
  const lease = await createHost().locks.takeLease(join(locks, "revise.lock"));
  if (!lease.ok) throw new Error("the lease is free");
  const second = await call("request_revision", { diffId, feedback: "Say more" });
  expect(second).toMatchObject({ isError: true, data: { error: { code: "lease-held" } } });
  expect(second.text).toContain("Try again in a moment");
  expect(second.text).not.toMatch(/kill|\d{3,}/u);
  const byHand = await session.wisp(...NEEDS, "Say more");
  expect(byHand.stderr).not.toContain("kill");
  await lease.value.release();
  expect(await call("request_revision", { diffId, feedback: "Say more" })).toMatchObject({
    isError: false,
  });
  const late = await call("request_revision", { diffId, feedback: "Say more" });
  expect(late).toMatchObject({ isError: true, data: { error: { code: "illegal-review" } } });
  expect(commandsIn(late)).toEqual([]);
  await call("work_status", { waitSeconds: 90 });
});

test("the server answers a message of 10 MB with an error, and the connection survives", async () => {
  await using session = processSession({});
  const { send, answerTo, end } = connectRaw(session);
  send(INITIALIZE);
  const request = "x".repeat(10 * 1024 * 1024);
  const large = { name: "start_session", arguments: { request } };
  send({ method: "tools/call", params: large, jsonrpc: "2.0", id: 5 });
  send(LIST_TOOLS);
  await answerTo(LIST_TOOLS.id);
  expect(JSON.parse(await answerTo(5))).toMatchObject({ id: 5, error: { code: -32_600 } });
  // An endless line is no message, and does not crash the server either.
  expect(await end("y".repeat(20 * 1024 * 1024))).toBe(0);
});
