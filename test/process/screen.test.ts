import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { widthOf } from "../../src/views/rows/cells.ts";
import { processSession } from "../rig/process-session.ts";
import { tmuxTerminal } from "../rig/tmux-terminal.ts";

const SMALL = { columns: 80, rows: 24 };

/** A builder that waits for the file `go` beside the repository. */
const WAITING = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    for (let n = 1; n <= 60; n++) t.print("line " + n + " of the agent");
    t.print("hello from the \u001B[2J\u001B[31magent");
    await t.until(() => t.has(t.home + "/../../../../go"));
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;

test("on a terminal a session has a screen whose keys choose the view, and prints the summary at its end", async () => {
  await using session = processSession({ scenario: WAITING });
  await using terminal = tmuxTerminal(session, SMALL);
  terminal.run("wisp start request.md --yes; echo code $?");
  await terminal.shows('is working on building "One"');
  await terminal.shows("▸ ░░░░░░░░░░ 0/1 One");
  // The engine shows that it lives.
  await terminal.shows(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏●] builder +\d+s +is working on/u);
  await terminal.shows("└ hello from the agent");
  await terminal.shows(/\d\d:\d\d:\d\d builder +\| begins building "One"/u);
  await terminal.shows(/^a-request {2}RUNNING \(building\) {2}0\/1 milestones, 0\/1 tasks/);

  // The output has not been read yet when its second key arrives.
  terminal.press("t", "PPage");
  await terminal.shows(/scrolled back(?!.*hello from)/s);
  terminal.press("g");
  await terminal.shows(/── builder: building "One".*\nline 1 of the agent/s);
  terminal.press("G");
  await terminal.shows("hello from the agent");
  terminal.press("3");
  await terminal.shows("[reviewer]");
  terminal.press("Left");
  await terminal.shows("[builder]");
  terminal.press("d");
  await terminal.shows("Milestones");
  terminal.press("?");
  await terminal.shows("any key closes this");
  terminal.press("x");
  await terminal.shows("Reviewed 0 / 0 commits");
  terminal.press("S");
  await terminal.shows("Stop the session?");
  terminal.press("n");
  await terminal.shows("q leave it running");

  terminal.resize(44, 12);
  // Complete from the first row to the last: tmux first cuts the old screen off, then wisp redraws it.
  await terminal.shows(/^a-request {2}RUNNING \(building\).*q leave it running {2}\? help/s);
  terminal.resize(120, 40);
  await terminal.shows("? help");

  writeFileSync(join(session.root, "go"), "");
  await terminal.shows("request is complete");
  await terminal.shows("code 0");
  expect(terminal.rows().join("\n")).not.toContain("Milestones");
});

test("q leaves the session running, wisp up reopens its screen, and S stops it", async () => {
  await using session = processSession({ scenario: WAITING });
  await using terminal = tmuxTerminal(session, SMALL);
  terminal.run("wisp start request.md --yes; echo code $?");
  await terminal.shows('is working on building "One"');
  terminal.press("q");
  await terminal.shows("To come back: wisp up a-request");
  await terminal.shows("code 0");
  expect(session.read("logs/supervisor.log")).not.toContain("supervisor.end");

  terminal.run("clear; wisp up; echo code $?");
  await terminal.shows('is working on building "One"');
  terminal.press("S");
  await terminal.shows("Stop the session?");
  terminal.press("y");
  await terminal.shows("request is not finished");
  await terminal.shows("code 130");
  terminal.run("stty -a");
  await terminal.shows(/ icanon.* echo /s);
});

test("keys typed before the session was read are ignored, and `a` asks before it interrupts a turn", async () => {
  await using session = processSession({ scenario: WAITING });
  await using terminal = tmuxTerminal(session, SMALL);
  expect(await session.wisp("start", "request.md", "--detach")).toMatchObject({ code: 0 });
  await session.until("the builder's turn", () =>
    session.read("logs/builder.log").includes(" turn.begin "),
  );
  const typed = join(session.root, "typed");
  terminal.run(`until [ -e '${typed}' ]; do sleep 0.1; done; wisp up; echo code $?`);
  terminal.type("a");
  writeFileSync(typed, "");
  await terminal.shows("What you typed before the session was read was ignored.");
  await terminal.shows('is working on building "One"');
  expect(terminal.rows().join("\n")).not.toContain("has no interactive mode");

  terminal.press("a");
  await terminal.shows("Attach to the builder? Its turn is interrupted. (y/n)");
  terminal.press("n");
  await terminal.shows("q leave it running");
  expect(terminal.rows().join("\n")).not.toContain("has no interactive mode");
  terminal.press("a");
  await terminal.shows("y interrupt it");
  terminal.press("y");
  await terminal.shows("has no interactive mode");
  terminal.press("Escape");
  await terminal.shows("code 0");
});

test("a question can be answered on the screen, which writes the record that wisp answer writes", async () => {
  const scenario = String.raw`
      plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
      build(t) {
        if (!t.prompt.includes("With tabs, please")) {
          t.say({ status: "NEEDS_INPUT", question: "Tabs or \u001B[31mspaces?" });
          return;
        }
        t.put("hello.txt", "hello\n");
        t.commit("Say hello");
        t.tick();
      },
    `;
  await using session = processSession({ scenario });
  await using terminal = tmuxTerminal(session, SMALL);
  terminal.run("wisp start request.md --yes; echo code $?");
  await terminal.shows(/The builder asks \(\S+\): Tabs or spaces\?/);
  terminal.press("Enter");
  await terminal.shows("enter send");
  terminal.type("With tabs, pleased");
  terminal.press("BSpace");
  await terminal.shows(/> With tabs, please(?!d)/);
  // Too early after the question has appeared, Enter does not send it.
  await terminal.pressUntil("Enter", /Answered|request is complete/u);
  await terminal.shows("request is complete");
  await terminal.shows("code 0");
  expect(session.read("logs/human.log")).toContain('text="With tabs, please"');
});

test("panes are scrolled and searched at every size, with long names and without anything wider than the screen", async () => {
  const plan = Array.from({ length: 40 }, (_, at) => {
    const name = `${String(at + 1)} with a long name, 日本語の長い名前, which fits nowhere at all`;
    return `## Milestone: ${name}\n\n- [ ] Say hello\n`;
  }).join("\n");
  await using session = processSession({ scenario: WAITING, files: { "request.md": plan } });
  await using terminal = tmuxTerminal(session, SMALL);
  terminal.run("wisp start request.md --yes; echo code $?");
  for (const [columns, rows] of [
    [80, 24],
    [120, 40],
    [200, 60],
  ] as const) {
    terminal.resize(columns, rows);
    await terminal.shows(new RegExp(`^request .*\\n╭─ Roles ─.*╮\\n.*? help\\n`, "su"));
    await terminal.shows(`${"─".repeat(40)}╮`);
    for (const one of terminal.rows()) expect(widthOf(one)).toBeLessThanOrEqual(columns);
  }
  terminal.resize(80, 24);
  await terminal.shows("├─▸Events ─");
  terminal.press("Tab");
  await terminal.shows(/├─▸Milestones ─+ 1-\d of 40 ─┤/u);
  terminal.press("j", "Down");
  await terminal.shows(/├─▸Milestones ─+ 3-\d of 40 ─┤/u);
  terminal.press("k");
  await terminal.shows(/├─▸Milestones ─+ 2-\d of 40 ─┤/u);
  terminal.press("G");
  await terminal.shows(/├─▸Milestones ─+ \d+-40 of 40 ─┤/u);
  terminal.press("/");
  terminal.type("17 WITH");
  terminal.press("Enter");
  await terminal.shows(/0\/1 17 with a long name/u);
  terminal.press("q");
  await terminal.shows("code 0");
});

test("the terminal is restored even if the process is ended by a signal", async () => {
  await using session = processSession({ scenario: WAITING });
  await using terminal = tmuxTerminal(session, SMALL);
  terminal.run("wisp start request.md --yes; echo code $?");
  await terminal.shows('is working on building "One"');
  process.kill(Number(readFileSync(join(session.root, "wisp.pid"), "utf8")), "SIGTERM");
  await terminal.shows("code 143");
  await terminal.shows("wisp start request.md");
  terminal.run("stty -a");
  await terminal.shows(/ icanon.* echo /s);
  expect(session.read("logs/human.log")).toBe("");
});

for (const command of [
  "wisp start --plain --yes",
  "wisp --no-input start",
  "TERM=dumb wisp start --yes",
  "CI=1 wisp start",
]) {
  test(`${command} prints lines even on a terminal`, async () => {
    await using session = processSession({ scenario: WAITING });
    writeFileSync(join(session.root, "go"), "");
    await using terminal = tmuxTerminal(session, { columns: 120, rows: 60 });
    terminal.run(`${command} request.md; echo code $?`);
    await terminal.shows("code 0");
    expect(terminal.rows().join("\n")).toMatch(/builder\s+\| begins building "One"/);
  });
}
