import { expect, test } from "vitest";
import { z } from "zod";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { idle } from "../rig/walk-session.ts";

/*
 * With --json each command prints one object, which names its schema (which commands have it:
 * `command-options.test.ts`). The rig validates each with the published schema that it names.
 */

const ID = "a-request";
const ASKS = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    if (!t.prompt.includes("In English")) return t.say({ status: "NEEDS_INPUT", question: "In which language?" });
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
  "review-milestone": (t) => t.finds([["Style", "hello.txt", "The word says little", "suggestion"]]),
  revise(t) {
    t.print("<revision-plan>\n### RI-001: Add a name\n\n**Description:** It is missing.\n\n**Acceptance Criteria:**\n\n- [ ] There is a name\n</revision-plan>");
    t.say({ status: "DONE", summary: "one item" });
  },
`;

const Printed = z.looseObject({ schema: z.string() });
const Act = z.looseObject({
  isDryRun: z.boolean(),
  session: z.literal(ID),
  said: z.array(z.string()).min(1),
  status: z.looseObject({ schema: z.literal("wisp.status/1"), next: z.array(z.string()) }),
});

/** The single object that a command prints. */
async function object(session: ProcessSession, words: readonly string[], schema: string) {
  const { code, stdout, stderr } = await session.wisp(...words, "--json");
  expect({ words, code, stderr: code === 0 ? "" : stderr }).toEqual({ words, code: 0, stderr: "" });
  const printed = Printed.parse(JSON.parse(stdout));
  expect({ words, schema: printed.schema }).toEqual({ words, schema: `wisp.${schema}/1` });
  return printed;
}

const acted = async (session: ProcessSession, words: readonly string[], schema: string) =>
  Act.parse(await object(session, words, schema));

test("every command with --json prints one object that names its schema, throughout a session", async () => {
  await using session = processSession({ scenario: ASKS });
  const say = (words: readonly string[], schema = words[0] ?? "") => object(session, words, schema);
  const act = (words: readonly string[], schema = words[0] ?? "") => acted(session, words, schema);
  await say(["init", "--dry-run"]);
  await say(["doctor"]);
  await say(["engines"]);
  await say(["start", "request.md", "--dry-run"]);
  await say(["start", "request.md", "--yes", "--no-up"]);
  expect(await act(["up", "--dry-run"])).toMatchObject({ isDryRun: true });
  expect(session.read("logs/builder.log", ID)).toBe("");
  expect(await act(["up"])).toMatchObject({ isDryRun: false, status: { isSupervised: true } });
  await act(["restart", "builder", ID, "--dry-run"]);
  await session.until("the question", () => session.read("logs/builder.log", ID).includes("ask="));
  await idle(session);
  expect(await act(["answer", ID, "In English", "--dry-run"])).toMatchObject({
    status: { questions: [{ id: "builder-1" }] },
  });
  expect(await act(["stop", "--dry-run"])).toMatchObject({ status: { isStopped: false } });
  expect(await act(["stop"])).toMatchObject({ status: { isStopped: true } });
  expect(await act(["answer", ID, "In English"])).toMatchObject({ status: { questions: [] } });
  expect((await act(["update", "request.md", "--no-up"])).said[0]).toContain("is unchanged");
  await act(["update", "request.md", ID, "--dry-run"]);
  await act(["tasks", ID, "--adopt", `.wisp/sessions/${ID}/TASKS.md`, "--dry-run"], "adopt");
  await act(["tasks", ID, "--adopt", `.wisp/sessions/${ID}/TASKS.md`], "adopt");
  await act(["resume", "--dry-run"]);
  expect(await act(["resume"])).toMatchObject({ status: { isStopped: false } });
  await session.until("the end", () => session.read("logs/builder.log", ID).includes(" done "));
  await idle(session);
  expect(await act(["up"])).toMatchObject({ status: { stage: "complete" } });
  for (const command of [
    "status",
    "list",
    "cost",
    "findings",
    "fsck",
    "review",
    "report",
    "plan",
  ]) {
    await say([command]);
  }
  await say(["cost", "--by", "model"]);
  await say(["review", "--stat"]);
  const { stdout: events } = await session.wisp("log", "--json");
  expect(events.split("\n").length).toBeGreaterThan(20);
  await say(["fsck", "--repair", "--dry-run"], "fsck");
  const { stdout } = await session.wisp("tasks", "--json");
  expect(JSON.parse(stdout)).toHaveLength(1);
  const [, id = ""] = /^OPEN (\S+) /mu.exec(session.read("REVIEWS.md", ID)) ?? [];
  await say(["findings", "show", id], "shown-finding");
  for (const asked of [id, "hello.txt:1", "One", session.git("rev-parse", `wisp/${ID}`), "HEAD"]) {
    await say(["why", asked]);
  }
  await say(["findings", "dismiss", id, "--why", "Mine", "--dry-run"], "finding");
  await say(["findings", "add", "hello.txt:1", "Say more", "--dry-run"], "finding");
  await say(["revise", "--problem", "It has no name", "--dry-run"]);
  const before = session.read("logs/human.log", ID);
  for (const words of [["--approve"], ["--reject"], ["--request-revision", "Add a name"]]) {
    const looked = await say(["review", ID, ...words, "--dry-run"], "reviewed");
    expect(looked).toMatchObject({ isDryRun: true, state: "PENDING_REVIEW" });
  }
  expect(session.read("logs/human.log", ID)).toBe(before);
  await say(["revise", "--problem", "It has no name", "--yes", "--no-start"]);
  const revision = `${ID}/revision-1`;
  await say(["abandon", revision, "--dry-run"]);
  await say(["abandon", revision, "--yes"]);
  await say(["review", ID, "--approve"], "reviewed");
  await say(["done", ID, "--dry-run", "--no-push"]);
  await say(["done", ID, "--yes", "--no-push"]);
});

test("with --json, every refused command prints one error object", async () => {
  await using session = processSession({ scenario: ASKS });
  for (const words of [
    ["stop"],
    ["up"],
    ["resume"],
    ["restart", "builder"],
    ["restart", "nobody"],
    ["answer", "nobody", "x"],
    ["update", "request.md"],
    ["tasks", "--adopt", "x"],
  ]) {
    const { code, stdout } = await session.wisp(...words, "--json");
    expect([words, code === 0]).toEqual([words, false]);
    expect(JSON.parse(stdout)).toMatchObject({ schema: "wisp.error/1" });
  }
});
