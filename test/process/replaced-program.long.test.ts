import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeOf, replaceProgram } from "../rig/installed-program.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { tmuxTerminal } from "../rig/tmux-terminal.ts";
import { askWeb, enterWeb, followWeb, startWebWatch } from "../rig/web-watch.ts";

/** A builder that waits for the file `go` beside the repository. */
const WAITING = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    await t.until(() => t.has(t.home + "/../../../../go"));
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;

function copiesOf({ env }: ProcessSession): string {
  return join(env["HOME"] ?? "", ".local/state/wisp/.programs");
}

const STACK = /node:internal|MODULE_NOT_FOUND|Cannot find module|internal error| at .*\.js:\d/u;

test("a session, its screen and its page go on when another build replaces the installation", async () => {
  await using session = processSession({ scenario: WAITING, isInstalled: true });
  await using terminal = tmuxTerminal(session, { columns: 100, rows: 30 });
  terminal.run("wisp start request.md --yes; echo code $?");
  await terminal.shows('is working on building "One"');
  await using web = await startWebWatch(session);
  const admitted = await enterWeb(web);
  const code = codeOf(session.program);
  replaceProgram(session.program);
  expect(codeOf(session.program)).not.toBe(code);

  // Views that were never opened before.
  terminal.press("c");
  await terminal.shows("has no commits of its own yet");
  terminal.press("c");
  await terminal.shows("Milestones");
  terminal.press("?");
  await terminal.shows("any key closes this");
  terminal.press("x");
  using page = followWeb(web, admitted);
  await page.reads("event: report");
  expect(await askWeb(web, { path: "/" })).toMatchObject({ status: 200 });

  writeFileSync(join(session.root, "go"), "");
  await terminal.shows("request is complete");
  await terminal.shows("code 0");
  expect(terminal.rows().join("\n")).not.toMatch(STACK);
  const logs = ["supervisor.out", "builder.out", "reviewer.out", "tester.out"];
  expect(logs.map((name) => session.read(`logs/${name}`)).join("\n")).not.toMatch(STACK);
  expect(session.read("logs/supervisor.log")).not.toContain("crashed");
  expect(await session.wisp("status")).toMatchObject({ code: 0 });
});

test("a command whose files are gone, and of which there is no copy, says so in one sentence", async () => {
  await using session = processSession({ scenario: WAITING, isInstalled: true });
  await using terminal = tmuxTerminal(session, { columns: 100, rows: 30 });
  terminal.run("wisp start request.md --yes; echo code $?");
  await terminal.shows('is working on building "One"');
  rmSync(copiesOf(session), { recursive: true });
  replaceProgram(session.program);
  terminal.press("c");
  await terminal.shows("code 1");
  const shown = terminal.rows().join("\n");
  expect(shown).toContain("wisp was replaced by another version while this command ran");
  expect(shown).not.toMatch(STACK);
});

/** Starts a session, waits until its builder works, and replaces the installation. Returns the digest of the first one. */
async function startedByOther(session: ProcessSession): Promise<string> {
  expect(await session.wisp("start", "request.md", "--detach", "--yes")).toMatchObject({ code: 0 });
  await session.until("the builder's turn", () =>
    session.read("logs/builder.log").includes(" turn.begin "),
  );
  const code = codeOf(session.program);
  expect(session.read("locks/supervisor.lock.json")).toContain(`"code":"${code}"`);
  expect(session.read("locks/builder.lock.json")).toContain(`"code":"${code}"`);
  replaceProgram(session.program);
  return code;
}

function countIn(text: string, words: string): number {
  return text.split(words).length - 1;
}

test("wisp up of another build lets the old one finish its turns, then goes on by itself", async () => {
  await using session = processSession({ scenario: WAITING, isInstalled: true });
  await startedByOther(session);
  const refused = await session.wisp("agent", "tester", "a-request");
  expect(refused).toMatchObject({ code: 6 });
  expect(refused.stderr).toContain("runs another version of wisp");
  expect((await session.wisp("up", "--dry-run")).stderr).toContain("finish their turns");
  const upped = session.wisp("up", "--plain");
  await session.until("the request to stop", () =>
    session.read("logs/human.log").includes(" stop"),
  );
  expect(countIn(session.read("logs/supervisor.log"), " supervisor.start ")).toBe(1);
  writeFileSync(join(session.root, "go"), "");
  const ended = await upped;
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stderr).toContain("Another version of wisp works on a-request");
  expect(ended.stdout).toContain("request is complete");
  expect(session.read("logs/human.log")).toMatch(/ stop.*\n.* resume/u);
  expect(session.read("logs/supervisor.log")).toMatch(
    /supervisor\.start .*supervisor\.end [^\n]*\n[^\n]*supervisor\.start /su,
  );
  // The turn was neither interrupted nor repeated.
  expect(countIn(session.read("logs/builder.log"), " turn.begin ")).toBe(1);
  expect(readdirSync(copiesOf(session))).toHaveLength(2);
});

test("wisp up of another build waits for roles whose supervisor was killed, and starts none beside them", async () => {
  await using session = processSession({ scenario: WAITING, isInstalled: true });
  const code = await startedByOther(session);
  const pid = /"pid":(\d+)/u.exec(session.read("locks/supervisor.lock.json"))?.[1];
  process.kill(Number(pid), "SIGKILL");
  await session.until("the end of the supervisor", () => !existsSync(`/proc/${pid ?? ""}`));
  const upped = session.wisp("up", "--plain");
  await session.until("the request to stop", () =>
    session.read("logs/human.log").includes(" stop"),
  );
  expect(session.read("locks/builder.lock.json")).toContain(code);
  writeFileSync(join(session.root, "go"), "");
  expect(await upped).toMatchObject({ code: 0 });
  expect(countIn(session.read("logs/builder.log"), " turn.begin ")).toBe(1);
  expect(countIn(session.read("logs/supervisor.log"), " supervisor.start ")).toBe(2);
});
