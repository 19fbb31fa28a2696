import { expect, test } from "vitest";
import { connect, connectRaw, diffIdOf, INITIALIZE, LIST_TOOLS } from "../rig/mcp-connection.ts";
import { processSession } from "../rig/process-session.ts";

const ASKS_ONCE = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    if (t.milestone.startsWith("RI-001")) {
      t.put("hello.txt", "hello, world\n");
      t.commit("[Revision] Greet the world");
    } else if (t.prompt.includes("In English")) {
      t.put("hello.txt", "hello\n");
      t.commit("Say hello");
    } else return t.say({ status: "NEEDS_INPUT", question: "In which language?" });
    t.tick();
  },
`;

test("seed 001, phases 2 and 4: a client can start, answer, review and revise, and exactly one of approve and reject succeeds", async () => {
  await using session = processSession({ scenario: ASKS_ONCE });
  await using connection = await connect(session);
  const { client, call } = connection;
  const { tools } = await client.listTools();
  const described = new Map(tools.map(({ name, description = "" }) => [name, description]));
  expect([...described.keys()].sort()).toEqual([
    "abandon_revision",
    "answer_question",
    "approve_changes",
    "list_findings",
    "reject_changes",
    "request_revision",
    "resume_session",
    "review_changes",
    "start_session",
    "work_status",
  ]);
  expect(described.get("reject_changes")).toContain("PERMANENT");
  expect(described.get("review_changes")).toContain("request_revision");

  const started = await call("start_session", { request: "# Greet\n\nSay hello.\n" });
  expect(started).toMatchObject({ isError: false, data: { session: "greet", runs: true } });
  const asked = await call("work_status", { session: "greet", waitSeconds: 60 });
  expect(asked.data).toMatchObject({ state: "INITIAL_EXECUTION", next: "answer_question" });
  const early = await call("review_changes", { session: "greet" });
  const tooEarly = await call("approve_changes", { diffId: diffIdOf(early) });
  expect(tooEarly).toMatchObject({ isError: true, data: { error: { code: "illegal-review" } } });
  expect(await call("answer_question", { answer: "In English" })).toMatchObject({
    isError: false,
  });

  let progress = 0;
  const built = await call("work_status", { session: "greet", waitSeconds: 60 }, () => progress++);
  expect(built.data).toMatchObject({ state: "PENDING_REVIEW" });
  const looked = await call("review_changes");
  expect(looked.text).toContain("+hello");
  const diffId = diffIdOf(looked);
  expect(diffId).toMatch(/^greet@[0-9a-f]{40}$/u);

  const hostile = [
    { diffId: `greet@${"0".repeat(40)}`, feedback: "Louder" },
    { diffId: "../../etc/passwd@x", feedback: "Louder" },
    { diffId, feedback: "x".repeat(1024 * 1024) },
    {
      diffId,
      feedback: "Louder",
      comments: [{ path: "../../../etc/passwd", line: 1, text: "x" }],
    },
    { diffId, feedback: "Louder", unknown: true },
  ];
  for (const args of hostile) {
    expect(await call("request_revision", args)).toMatchObject({ isError: true });
  }
  const stale = await call("approve_changes", { diffId: `greet@${"0".repeat(40)}` });
  expect(stale).toMatchObject({ isError: true, data: { error: { code: "stale-diff" }, diffId } });

  const revised = await call("request_revision", {
    diffId,
    feedback: "### RI-002: Greet the world\n\n- Name whom you greet",
    preserveCorrectParts: false,
    additionalContext: "The world",
    comments: [{ path: "hello.txt", line: 1, text: "whom?" }],
  });
  expect(revised.data).toMatchObject({ revision: "greet/revision-1", requested: { used: 1 } });
  const done = await call("work_status", { session: "greet", waitSeconds: 90 });
  expect(done.data).toMatchObject({ state: "PENDING_REVIEW" });
  const again = await call("review_changes", { session: "greet/revision-1" });
  expect(again.data).toMatchObject({ session: "greet", revisions: [{ revision: 1 }] });
  expect(again.text).toContain("Name whom you greet");
  const findings = await call("list_findings", { session: "greet" });
  expect(findings.data).toMatchObject({ session: "greet", findings: [] });

  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain("wisp://session/greet%2Frevision-1/TASKS.md");
  const read = await client.readResource({ uri: "wisp://session/greet/PROGRESS.txt" });
  expect(JSON.stringify(read.contents)).toContain("Verdict: PASSED");
  for (const uri of [
    "wisp://session/..%2F..%2F..%2Fetc/PROGRESS.txt",
    "wisp://session/greet/session.json",
    "wisp://session/greet%2Flogs/TASKS.md",
    "file:///etc/passwd",
  ]) {
    await expect(client.readResource({ uri })).rejects.toThrow();
  }

  const now = { diffId: diffIdOf(again) };
  const both = await Promise.all([call("approve_changes", now), call("reject_changes", now)]);
  expect(both.filter(({ isError }) => !isError)).toHaveLength(1);
  const decisions = session.read("logs/human.log", "greet").match(/ (?:approve|reject) /gu);
  expect(decisions).toHaveLength(1);
  expect(progress).toBeGreaterThan(0);
});

test("the server prints only protocol messages on standard output, even after invalid input", async () => {
  await using session = processSession({});
  const { write, send, answerTo, lines, end } = connectRaw(session);
  write('no json\n[]\n{"jsonrpc":"2.0"}\n');
  send(INITIALIZE);
  send(LIST_TOOLS);
  await answerTo(LIST_TOOLS.id);
  expect(await end()).toBe(0);
  for (const line of lines()) {
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  }
});
