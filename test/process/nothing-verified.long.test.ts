import { expect, test } from "vitest";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

/*
 * A verify that is there, but runs no test: the work completes, and each view says that nothing was verified.
 */

const WORDS = "nothing was verified";

const ONE = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) { t.put("hello.txt", "hello\n"); t.commit("Say hello"); t.tick(); },`;

const PLACEHOLDER = JSON.stringify({
  name: "a",
  version: "1.0.0",
  scripts: { test: 'echo "Error: no test specified" && exit 1' },
});

/** Says what pytest says, and ends like it, for as many tests as there are lines. */
const RUNNER = `
const { existsSync, readFileSync } = require("node:fs");
const count = existsSync("tests.txt") ? readFileSync("tests.txt", "utf8").trim().length : 0;
console.log(count === 0 ? "no tests ran in 0.01s" : count + " passed in 0.01s");
process.exitCode = count === 0 ? 5 : 0;
`;

/** What each view says of the session, in words and for programs. */
async function views(session: ProcessSession): Promise<ReadonlyMap<string, string>> {
  const commands = [
    ["status"],
    ["list"],
    ["list", "--all"],
    ["report"],
    ["review", "--stat"],
    ["done", "--dry-run"],
    ["up"],
  ];
  const seen = new Map<string, string>();
  for (const command of commands) {
    const { stdout, stderr } = await session.wisp(...command);
    seen.set(command.join(" "), stdout + stderr);
  }
  return seen;
}

const PRINTED = [["status"], ["list"], ["review", "--stat"], ["done", "--dry-run"]];

async function documents(session: ProcessSession): Promise<readonly string[]> {
  const ended = await Promise.all(PRINTED.map((words) => session.wisp(...words, "--json")));
  return ended.map(({ stdout }) => stdout);
}

async function expectUnverified(session: ProcessSession): Promise<void> {
  for (const [view, text] of await views(session)) {
    expect({ view, text, isSaid: text.includes(WORDS) }).toEqual({ view, text, isSaid: true });
  }
  for (const text of await documents(session)) expect(text).toMatch(/"nothingVerified": ?true/u);
  expect(await homeIssues(session.home())).toEqual([]);
}

async function expectVerified(session: ProcessSession): Promise<void> {
  for (const [view, text] of await views(session)) {
    expect({ view, isSaid: text.includes(WORDS) }).toEqual({ view, isSaid: false });
  }
  for (const text of await documents(session)) expect(text).not.toContain("nothingVerified");
  expect(await homeIssues(session.home())).toEqual([]);
}

test.each([
  ["no verify command", {}, ""],
  ["npm's placeholder", { "package.json": PLACEHOLDER }, 'verify: [["npm", "test"]]\n'],
  ["a runner without tests", { "run.cjs": RUNNER }, 'verify: [["node", "run.cjs"]]\n'],
] as const)("with %s, each view says that nothing was verified", async (_, files, config) => {
  await using session = processSession({ scenario: ONE, files, config });
  const started = await session.wisp("start", "request.md");
  expect(started.code).toBe(0);
  expect(started.stdout + started.stderr).toContain(WORDS);
  expect(session.read("logs/tester.log")).toContain("verify=nosuite");
  await expectUnverified(session);
  if (config !== "") expect(session.read("logs/builder.log")).toMatch(/ look .* verdict=none /u);
});

const TWO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Test it\n"),
  build(t) {
    if (t.milestone === "One") t.put("hello.txt", "hello\n");
    else t.put("tests.txt", t.attempt === 1 ? "x\n" : "xx\n");
    t.commit("Work, attempt " + t.attempt);
    t.tick();
  },`;

test("a session whose second milestone adds the first tests was verified", async () => {
  await using session = processSession({
    ...{ scenario: TWO, files: { "run.cjs": RUNNER } },
    config: 'verify: [["node", "run.cjs"]]\n',
  });
  expect((await session.wisp("start", "request.md")).code).toBe(0);
  expect(session.read("logs/tester.log")).toContain("verify=passed");
  await expectVerified(session);
});

const REMOVES = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) { t.put("tests.txt", "\n"); t.commit("Remove the tests " + t.attempt); t.tick(); },`;

test("where tests ran at the base, a runner that says that there are none is red", async () => {
  await using session = processSession({
    ...{ scenario: REMOVES, files: { "run.cjs": RUNNER, "tests.txt": "xxx\n" } },
    config: 'verify: [["node", "run.cjs"]]\n',
  });
  expect((await session.wisp("start", "request.md")).code).toBe(5);
  const log = session.read("logs/builder.log");
  expect(log).toContain(" outcome=unverified ");
  expect(log).not.toContain("verdict=none");
});
