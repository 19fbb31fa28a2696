import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { connect } from "../rig/mcp-connection.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

/** Fails without naming any test, unless the variable is there. */
const CHECK = `
if (!process.env.DATABASE_URL) {
  console.error("no database to connect to");
  process.exit(1);
}
`;

const ITEM =
  "### RI-001: Say it louder\n\n**Description:** Louder.\n\n**Acceptance Criteria:**\n\n- [ ] Say it louder\n";

const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("word", t.milestone);
    t.commit("Say hello");
    t.tick();
  },
  revise(t) {
    t.print("<revision-plan>\n" + ${JSON.stringify(ITEM)} + "</revision-plan>");
    t.say({ status: "DONE", summary: "one item" });
  },`;

const ENV = "commands: { env: [DATABASE_URL] }\n";

function withoutDatabase(): ProcessSession {
  const session = processSession({ scenario: SCENARIO, files: { "check.cjs": CHECK } });
  settings(session, "verify: [[node, check.cjs]]\n");
  session.git("commit", "-qam", "Verify");
  Object.assign(session.env, { DATABASE_URL: "postgres://db/x" });
  return session;
}

/** Writes settings of the work tree after the common ones. */
function settings(session: ProcessSession, lines: string): void {
  const common = session.git(
    "show",
    `${session.git("rev-list", "--max-parents=0", "HEAD")}:.wisp/config.yaml`,
  );
  session.write(".wisp/config.yaml", `${common}\n${lines}`);
}

test("settings that were mended after a red base are taken with the answer, and a revision begins with them", async () => {
  await using session = withoutDatabase();
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 4 });
  const frozen = session.read("session.json");
  settings(session, `verify: [[node, check.cjs]]\nverifyTimeout: 7m\n${ENV}`);
  // Nobody can be asked, so it is refused, whoever answers.
  const refused = await session.wisp("answer", "a-request", "again");
  expect(refused).toMatchObject({ code: 4 });
  const { stderr } = refused;
  expect(stderr).toContain("- commands.env: (none)");
  expect(stderr).toContain("+ commands.env: DATABASE_URL");
  expect(stderr).toContain("- verifyTimeout: 600s");
  expect(stderr).toContain("+ verifyTimeout: 420s");
  expect(stderr).not.toContain("verify: ");
  expect(stderr).toContain("wisp answer a-request builder-1 again --settings");
  const dry = await session.wisp("answer", "a-request", "again", "--dry-run");
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.stderr).toContain("+ commands.env: DATABASE_URL");
  {
    await using connection = await connect(session);
    expect(await connection.call("answer_question", { answer: "again" })).toMatchObject({
      isError: true,
      data: { error: { code: "settings-differ" } },
    });
  }
  const accepted = await session.wisp("answer", "a-request", "accept", "--settings");
  expect(accepted).toMatchObject({ code: 2 });
  expect(session.read("logs/human.log")).not.toContain("answer");
  // Without them the base is as red as before.
  const without = await session.wisp("answer", "a-request", "again", "--no-settings");
  expect(without).toMatchObject({ code: 0 });
  expect(await session.wisp("up")).toMatchObject({ code: 4 });
  expect(session.read("logs/builder.log")).toContain("question=builder-2");
  expect(await session.wisp("answer", "a-request", "again", "--settings")).toMatchObject({
    code: 0,
  });
  // Killed before, during or after the look at the base.
  await session.killAll();
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  expect(session.read("logs/builder.log")).toMatch(
    / base\.end unit=base:\w+ at=\w+ outcome=judged\n/u,
  );
  expect(session.read("logs/human.log")).toMatch(
    / answer question=builder-2 text=again settings=.*DATABASE_URL/u,
  );
  expect(session.read("logs/tester.log")).toContain("verify=passed");
  expect(session.read("session.json")).toBe(frozen);
  expect(await homeIssues(session.home())).toEqual([]);
  expect(checkSession(session.home()).broken).toBeUndefined();
  // The settings of the checkout are not read again.
  settings(session, "verify: [['false']]\n");
  const revised = await session.wisp(
    "revise",
    "a-request",
    "--problem",
    "It is too quiet",
    "--yes",
  );
  expect({ code: revised.code, said: revised.stderr }).toMatchObject({ code: 0 });
  const revision: unknown = JSON.parse(session.read("revision-1/session.json", "a-request"));
  expect(revision).toMatchObject({
    verify: [["node", "check.cjs"]],
    verifyTimeoutMs: 420_000,
    commands: { env: ["DATABASE_URL"] },
  });
});

test("an answer that leaves no verify ends in work that nothing verified", async () => {
  await using session = withoutDatabase();
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 4 });
  settings(session, "");
  expect(await session.wisp("answer", "a-request", "again", "--settings")).toMatchObject({
    code: 0,
  });
  const ended = await session.wisp("up");
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stdout + ended.stderr).toContain("nothing was verified");
  const { stdout } = await session.wisp("status", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ nothingVerified: true });
  expect(stdout).not.toContain("no database");
  expect(await homeIssues(session.home())).toEqual([]);
});

test("settings do not come with the answer to another question, nor once the work has begun", async () => {
  await using session = processSession({
    scenario: String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    if (t.attempt === 1 && !t.prompt.includes("8080")) {
      t.say({ status: "NEEDS_INPUT", question: "Which port?" });
      return;
    }
    t.put("word", "hello");
    t.commit("Say hello");
    t.tick();
  },`,
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 4 });
  const refused = await session.wisp("answer", "a-request", "8080", "--settings");
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain("the work has begun");
  expect(session.read("logs/human.log")).not.toContain("answer");
});
