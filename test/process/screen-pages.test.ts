import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { widthOf } from "../../src/views/rows/cells.ts";
import { checkSession } from "../rig/check-session.ts";
import { processSession } from "../rig/process-session.ts";
import { asking, built, expectWhole, planOf } from "./asking-session.ts";
import { tmuxTerminal } from "../rig/tmux-terminal.ts";

const SMALL = { columns: 80, rows: 24 };

/** A reviewer that finds something, and a builder whose fix waits for the file `go` beside the repository. */
const FINDING = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
  "review-milestone"(t) {
    t.finds([
      ["Style", "hello.txt", "The greeting \u001B[2J\u001B]0;pwned\u0007 is \u202Etoo short, 日本語 日本語 日本語 日本語 日本語"],
      ["Logic", "hello.txt", "Nobody is greeted by name"],
    ]);
  },
  async fix(t) {
    await t.until(() => t.has(t.home + "/../../../../go"));
    t.put(t.finding + ".txt", "hello, you\n");
    t.commit("Mend " + t.finding);
  },
`;

test("a finding is opened and dismissed on the screen, once, by the record that wisp findings dismiss writes", async () => {
  await using session = processSession({ scenario: FINDING });
  await using terminal = tmuxTerminal(session, SMALL);
  terminal.run("wisp start request.md --yes; echo code $?");
  await terminal.shows(/builder +\d+\w* +is working on/u);
  await session.until("the fix", () => session.read("logs/builder.log").includes(" purpose=fix "));
  terminal.press("f");
  await terminal.shows(/Findings and bugs: 2 findings, 2 open/u);
  await terminal.shows(/▸ STY-\w+ +open +blocking +The greeting is too short/u);
  terminal.press("j", "Enter");
  await terminal.shows(/▸Finding ─.*LOG-\w+ +open.*Where:.*hello\.txt:1.*Mend it\./su);
  for (const [columns, rows] of [
    [120, 40],
    [44, 12],
    [80, 24],
  ] as const) {
    terminal.resize(columns, rows);
    await terminal.shows(/LOG-\w+ +open.*esc back/su);
    for (const one of terminal.rows()) expect(widthOf(one)).toBeLessThanOrEqual(columns);
  }

  terminal.press("Escape");
  await terminal.shows(/▸ LOG-/u);
  terminal.press("k", "d");
  await terminal.shows(/Why is STY-\w+ dismissed\?/u);
  const [, id = ""] = /Why is (STY-\w+) /u.exec(terminal.rows().join("\n")) ?? [];
  terminal.type("Short is how we greet");
  await terminal.shows("> Short is how we greet");
  terminal.press("Enter");
  await terminal.shows(`Dismiss ${id} for good, because: Short is how we greet (y/n)`);
  expect(session.read("logs/human.log")).toBe("");
  terminal.press("y");
  await terminal.shows(`Dismissed ${id}.`);
  await terminal.shows(/dismissed by you STY-/u);
  terminal.press("Escape");
  await terminal.shows("Milestones");

  // Once: the command finds it done.
  const again = await session.wisp("findings", "dismiss", id, "--why", "Really");
  expect(again.stderr).toContain(`${id} was already dismissed.`);
  writeFileSync(join(session.root, "go"), "");
  await terminal.shows("request is complete");
  await terminal.shows("code 0");
  const human = session.read("logs/human.log");
  expect(human.match(/ dismiss /gu)).toHaveLength(1);
  expect(human).toContain(`dismiss id=${id} why="Short is how we greet"`);
  expect(checkSession(session.home()).broken).toBeUndefined();
});

/** A builder with a hostile commit, a large one, and then a wait for the file `go` beside the repository. */
const COMMITS = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Say more\n"),
  async build(t) {
    if (t.milestone === "Two") await t.until(() => t.has(t.home + "/../../../../go"));
    t.put(t.milestone + ".txt", "hello \u001B[2J\u001B]0;pwned\u0007\u001B[31mred\n--- not a heading\n");
    t.commit("Say \u001B[2Jhello 日本語の長い名前 日本語の長い名前 日本語の長い名前 日本語の長い名前");
    const lines = Array.from({ length: 9000 }, (_, at) => "line " + at + " of the large file");
    t.put(t.milestone + "-large.txt", lines.join("\n") + "\n");
    t.commit("Add a large file");
    t.tick();
  },
`;

test("commits are listed and opened with a diff in which text stays text, and its end says where the rest is", async () => {
  await using session = processSession({ scenario: COMMITS });
  await using terminal = tmuxTerminal(session, SMALL);
  terminal.run("wisp start request.md --yes; echo code $?");
  await terminal.shows('is working on building "Two"');
  terminal.press("c");
  await terminal.shows(/Commits: 2 commits.*▸ \w{10} {2}reviewed {2}Add a large file {2}\(One\)/su);
  terminal.press("j", "Enter");
  await terminal.shows(/▸Commit \w{10} ─.*Say hello 日本語.*wisp why.*\+hello red/su);
  await terminal.shows("+--- not a heading");
  for (const [columns, rows] of [
    [200, 60],
    [44, 12],
    [80, 24],
  ] as const) {
    terminal.resize(columns, rows);
    await terminal.shows(/Say hello 日本語.*esc back/su);
    for (const one of terminal.rows()) expect(widthOf(one)).toBeLessThanOrEqual(columns);
  }
  terminal.press("Escape");
  await terminal.shows("Commits: 2 commits");
  terminal.press("k", "Enter");
  await terminal.shows(/line 1 of \d+ ─╮.*Add a large file/su);
  terminal.press("/");
  terminal.type("line 4321 of");
  terminal.press("Enter");
  await terminal.shows("+line 4321 of the large file");
  terminal.press("G");
  await terminal.shows(/The diff goes on\. All of it: git show \w{10}/u);
  terminal.press("c");
  await terminal.shows("Commits: 2 commits");
  terminal.press("c");
  await terminal.shows("Milestones");

  writeFileSync(join(session.root, "go"), "");
  await terminal.shows("request is complete");
  await terminal.shows("code 0");
});

test("on the screen, the plan that is shown is approved or rejected, and no plan that came meanwhile", async () => {
  await using session = asking();
  await using terminal = tmuxTerminal(session, SMALL);
  terminal.run("wisp start request.md --yes; echo code $?");
  await terminal.shows("p approve the plan");
  terminal.press("p");
  await terminal.shows(
    /▸Plan, waiting for your approval ─.*The plan of a-request.*\[ \] Write One/su,
  );
  await terminal.shows("unknown: no earlier session");
  const { sha256: first } = await planOf(session);
  terminal.press("a");
  await terminal.shows(`Approve the plan with the digest ${first.slice(0, 12)}`);

  // Somebody else has it changed while the question is on the screen.
  expect(await session.wisp("plan", "--reject", "Also second")).toMatchObject({ code: 0 });
  await terminal.shows(/\[ \] Write Also second/u);
  await terminal.shows(`Approve the plan with the digest ${first.slice(0, 12)}`);
  terminal.press("y");
  await terminal.shows(/it is another\s+plan/u);
  expect(session.read("logs/human.log")).not.toContain("plan.approve");

  terminal.press("r");
  await terminal.shows("What is to change in this plan?");
  terminal.type("Also third");
  terminal.press("Enter");
  await terminal.shows("with this text: Also third (y/n)");
  terminal.press("y");
  await terminal.shows("Rejected the plan.");
  await terminal.shows(/\[ \] Write Also third/u);
  const { sha256: last } = await planOf(session);
  // Both at once: what a key asks must have been on the screen before it is answered.
  terminal.type("ay");
  await terminal.shows(`Approve the plan with the digest ${last.slice(0, 12)}`);
  expect(session.read("logs/human.log")).not.toContain("plan.approve");
  terminal.press("y");
  await terminal.shows("request is complete");
  await terminal.shows("code 0");
  const approvals = session.read("logs/human.log").match(/ plan\.approve .*/gu);
  expect(approvals).toEqual([` plan.approve plan=${last}`]);
  expect(built(session)).toEqual(["One", "Also second", "Also third"]);
  await expectWhole(session);
});

/** A builder that waits for the file `go` beside the repository. */
const WAITING = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    await t.until(() => t.has(t.home + "/../../../../go"));
    t.put(t.home.split("/").at(-1) + ".txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;

test("another session of the repository is shown read-only, and the own one is neither left nor stopped", async () => {
  const name = "another-request-with-a-long-name-日本語の長い名前";
  await using session = processSession({
    scenario: WAITING,
    files: { [`${name}.md`]: `# ${name}\n\nDo it.\n` },
  });
  const go = join(session.root, "go");
  writeFileSync(go, "");
  expect(await session.wisp("start", `${name}.md`)).toMatchObject({ code: 0 });
  const [other = ""] = readdirSync(join(session.repository, ".wisp", "sessions"));
  rmSync(go);

  await using terminal = tmuxTerminal(session, SMALL);
  terminal.run("wisp start request.md --yes; echo code $?");
  await terminal.shows('is working on building "One"');
  terminal.press("s");
  await terminal.shows(
    /▸Sessions: state.*▸ a-request \(shown\) +RUNNING \(building\) +0\/1 tasks/su,
  );
  await terminal.shows(new RegExp(`${other.slice(0, 20)}\\S* +DONE.*1/1 tasks`, "u"));
  terminal.press("j", "Enter");
  await terminal.shows(/^another\S* \(read-only\) {2}DONE/u);
  for (const [columns, rows] of [
    [200, 60],
    [44, 12],
    [80, 24],
  ] as const) {
    terminal.resize(columns, rows);
    await terminal.shows(/^another.*read-only.*esc back/su);
    for (const one of terminal.rows()) expect(widthOf(one)).toBeLessThanOrEqual(columns);
  }
  terminal.press("S");
  await terminal.shows("This session is shown read-only.");
  terminal.press("c");
  await terminal.shows(/Commits: 1 commit.*Say hello/su);
  terminal.press("Escape");
  await terminal.shows("Milestones");
  terminal.press("C-c");
  await terminal.shows("Nothing was stopped");
  await terminal.shows(/^a-request {2}RUNNING \(building\)/u);

  // The own session is watched meanwhile: its end is the end of the screen.
  terminal.press("s");
  await terminal.shows("▸ a-request (shown)");
  terminal.press("j", "Enter");
  await terminal.shows(/^another\S* \(read-only\)/u);
  terminal.press("Escape");
  await terminal.shows(/^a-request {2}RUNNING/u);
  terminal.press("s");
  await terminal.shows("▸ a-request (shown)");
  terminal.press("j", "Enter");
  await terminal.shows(/^another\S* \(read-only\)/u);
  writeFileSync(go, "");
  await terminal.shows("a-request is complete");
  await terminal.shows("code 0");
  expect(session.read("logs/human.log", "a-request")).toBe("");
});
