import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { connect } from "../rig/mcp-connection.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

/*
 * A project whose tests need a database that its commands cannot see: verify is red at the base, and names no test.
 */

const SECRET = "postgres://u:CANARY-secret@db/x";

/** Fails without naming any test, unless the variable or the service is there. */
const CHECK = `
const { existsSync, readFileSync } = require("node:fs");
if (!process.env.DATABASE_URL && !existsSync(process.argv[2])) {
  console.error("no database to connect to");
  process.exit(1);
}
if (existsSync("word") && readFileSync("word", "utf8") === "broken") process.exit(1);
`;

/** One milestone, broken by the first attempt at it. */
const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("word", t.attempt === 1 ? "broken" : "hello");
    t.commit("Say hello, attempt " + t.attempt);
    t.tick();
  },`;

function withoutDatabase(config = ""): ProcessSession {
  const session = processSession({
    scenario: SCENARIO,
    files: { "check.cjs": CHECK, "other.js": "process.env.SENTRY_DSN;\n" },
  });
  const settings = session.git("show", "HEAD:.wisp/config.yaml");
  const verify = JSON.stringify(["node", "check.cjs", serviceOf(session)]);
  session.write(".wisp/config.yaml", `${settings}\nverify: [${verify}]\n${config}`);
  session.git("commit", "-qam", "Verify");
  Object.assign(session.env, { DATABASE_URL: SECRET, UNHEARD_OF: "CANARY-other" });
  return session;
}

/** A file outside all trees that stands for a service: it exists while the service runs. */
function serviceOf({ root }: ProcessSession): string {
  return join(root, "service");
}

test("if verify is red at the base and names no test, the session continues only after a person accepts that", async () => {
  await using session = withoutDatabase();
  const asked = await session.wisp("start", "request.md");
  expect(asked).toMatchObject({ code: 4 });
  const said = asked.stdout + asked.stderr;
  expect(said).toContain(
    "The builder asks: Verify is red before any work, and names no failing test",
  );
  expect(said).toContain("node check.cjs");
  expect(said).toContain("exited with 1");
  expect(said).toContain("Your environment has DATABASE_URL: tracked files mention that");
  expect(said).toContain("wisp answer a-request");
  expect(said).not.toMatch(/CANARY|UNHEARD_OF|SENTRY_DSN/u);
  const [, output = ""] = /Its output: (\S+\.out)/u.exec(said) ?? [];
  expect(session.read(output.replace(/^.*\/logs\//u, "logs/"))).toContain(
    "no database to connect to",
  );
  const { stdout: status } = await session.wisp("status");
  expect(status).toContain("DATABASE_URL");
  // There is a plan, but the builder does not adopt it.
  await session.until("the plan", () => session.read("logs/planner.log").includes("outcome=plan"));
  expect(session.read("logs/builder.log")).not.toContain("plan.adopt");
  expect(await session.wisp("up")).toMatchObject({ code: 4 });
  expect(session.read("logs/builder.log").match(/ base\.end /gu)).toHaveLength(1);
  expect(await session.wisp("answer", "a-request", "builder-1", "Accept")).toMatchObject({
    code: 0,
  });
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  const log = session.read("logs/builder.log");
  expect(log).toMatch(/ base\.end unit=base:\w+ at=\w+ outcome=accepted by=builder-1\n/u);
  // Red after red is no worse, because the person accepted it.
  expect(log).not.toContain("outcome=unverified");
  expect(session.read("logs/tester.log")).toContain("verify=asbase");
  expect(await homeIssues(session.home())).toEqual([]);
  expect(checkSession(session.home()).broken).toBeUndefined();
});

test("after any other answer verify runs at the base again, and once it passes there it must pass from then on", async () => {
  await using session = withoutDatabase();
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 4 });
  // Nothing has changed, so the question is asked again, with another id.
  expect(await session.wisp("answer", "a-request", "again")).toMatchObject({ code: 0 });
  expect(await session.wisp("up")).toMatchObject({ code: 4 });
  expect(session.read("logs/builder.log")).toContain("question=builder-2");
  writeFileSync(serviceOf(session), "");
  expect(await session.wisp("answer", "a-request", "the database runs")).toMatchObject({ code: 0 });
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  const log = session.read("logs/builder.log");
  expect(log).toMatch(/ base\.end unit=base:\w+ at=\w+ outcome=judged\n/u);
  // The first attempt broke verify, and did not count.
  expect(log.match(/ outcome=unverified /gu)).toHaveLength(1);
  expect(session.read("logs/tester.log")).toContain("verify=passed");
  expect(await homeIssues(session.home())).toEqual([]);
  expect(checkSession(session.home()).broken).toBeUndefined();
});

test("there is no question if `commands.env` names the variable that verify needs", async () => {
  await using session = withoutDatabase("commands: { env: [DATABASE_URL] }\n");
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  expect(session.read("logs/builder.log")).not.toContain("base.end");
});

/** Names the test that fails, and every other one that the file "broken" names. */
const NAMED_CHECK = `
const { existsSync, readFileSync } = require("node:fs");
console.log("TAP version 13\\nnot ok 1 - old");
if (existsSync("broken")) console.log("not ok 2 - " + readFileSync("broken", "utf8"));
console.log("ok 3 - fine\\n1..3");
process.exit(1);
`;

/** One milestone, whose first attempt breaks another test. */
const BREAKS_ONCE = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("word", "hello " + t.attempt);
    if (t.attempt === 1) t.put("broken", "young");
    else if (t.has("broken")) t.git("rm", "-q", "-f", "broken");
    t.commit("Say hello, attempt " + t.attempt);
    t.tick();
  },`;

function redByName(known = ""): ProcessSession {
  const session = processSession({ scenario: BREAKS_ONCE, files: { "check.cjs": NAMED_CHECK } });
  const settings = session.git("show", "HEAD:.wisp/config.yaml");
  session.write(".wisp/config.yaml", `${settings}\nverify: { run: [node, check.cjs]${known} }\n`);
  session.git("commit", "-qam", "Verify");
  return session;
}

test("a base that is red by name is a question; what a person accepts may go on failing, and nothing else", async () => {
  await using session = redByName();
  const asked = await session.wisp("start", "request.md");
  expect(asked).toMatchObject({ code: 4 });
  expect(asked.stdout + asked.stderr).toContain("1 test fails: old");
  // A program that drives the work may not say so.
  await using connection = await connect(session);
  const refused = await connection.call("answer_question", { answer: " 'Accept' " });
  expect(refused).toMatchObject({
    isError: true,
    data: { error: { code: "only-person-accepts" } },
  });
  expect(session.read("logs/human.log")).not.toContain("answer");
  expect(await session.wisp("answer", "a-request", "builder-1", "accept")).toMatchObject({
    code: 0,
  });
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  const log = session.read("logs/builder.log");
  expect(log.match(/ base\.end /gu)).toHaveLength(2);
  // The attempt that broke another test did not count.
  expect(log.match(/ outcome=unverified /gu)).toHaveLength(1);
  expect(session.read("logs/tester.log")).toContain("verify=asbase");
  expect(await homeIssues(session.home())).toEqual([]);
  expect(checkSession(session.home()).broken).toBeUndefined();
});

test.each([
  ["the settings", `, knownRed: [old]`, [], "settings"],
  ["the command line", "", ["--accept-red-base"], "option"],
] as const)(
  "there is no question if a person answered in advance: %s",
  async (_, known, flags, how) => {
    await using session = redByName(known);
    expect(await session.wisp("start", "request.md", ...flags)).toMatchObject({ code: 0 });
    const log = session.read("logs/builder.log");
    expect(log).toMatch(new RegExp(` outcome=accepted by=builder-1 how=${how}\n`, "u"));
    expect(log.match(/ outcome=unverified /gu)).toHaveLength(1);
    expect((await session.wisp("status")).stdout).not.toMatch(/\basks\b/u);
    expect(await homeIssues(session.home())).toEqual([]);
  },
);
