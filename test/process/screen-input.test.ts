import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processSession } from "../rig/process-session.ts";
import { tmuxTerminal } from "../rig/tmux-terminal.ts";

/** A builder that asks, and builds once it has the answer. */
const ASKING = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    if (!t.prompt.includes("With tabs")) {
      t.say({ status: "NEEDS_INPUT", question: "Tabs or spaces?" });
      return;
    }
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;

test("pasted lines stay one answer, which is edited, survives every resize and is sent as a whole", async () => {
  await using session = processSession({ scenario: ASKING });
  await using terminal = tmuxTerminal(session, { columns: 80, rows: 24 });
  terminal.run("wisp start request.md --yes; echo code $?");
  await terminal.shows(/The builder asks \(\S+\): Tabs or spaces\?/);
  terminal.paste("S\ny\nq\n");
  await terminal.shows("Pasted text was ignored: press enter to answer");
  terminal.press("Enter");
  await terminal.shows("alt-enter new line");
  terminal.paste("With tabs,\n\u001B[31mS\n日本語");
  await terminal.shows(/> With tabs, {65}│\n│ {3}S {74}│\n│ {3}日本語/u);
  for (const [columns, rows] of [
    [120, 40],
    [200, 60],
    [50, 12],
    [80, 24],
  ] as const) {
    terminal.resize(columns, rows);
    await terminal.shows(/> With tabs, *│?\n(?:│ )? {2}S *│?\n(?:│ )? {2}日本語/u);
  }
  terminal.press("M-Enter");
  terminal.type("please do");
  terminal.press("C-w", "C-w");
  terminal.type("thank you");
  await terminal.shows(/日本語 +│\n│ {3}thank you/u);
  // Too early after the question has appeared, Enter does not send it.
  await terminal.pressUntil("Enter", /Answered|request is complete/u);
  await terminal.shows("request is complete");
  await terminal.shows("code 0");
  expect(session.read("logs/human.log")).toContain(
    String.raw`text="With tabs,\nS\n日本語\nthank you"`,
  );
});

/** A builder that works until its session is stopped. */
const WORKING = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build: (t) => t.until(() => t.has(t.home + "/../../../../go")),
`;

test("Ctrl-Z gives the terminal back to the shell, and fg brings the screen back at its present size", async () => {
  await using session = processSession({ scenario: WORKING });
  await using terminal = tmuxTerminal(session, { columns: 80, rows: 24 });
  terminal.run("wisp start request.md --yes; echo code $?");
  await terminal.shows('is working on building "One"');
  terminal.press("/");
  terminal.type("kept");
  await terminal.shows("/kept");
  terminal.press("C-z");
  await terminal.shows("To come back to its screen: fg");
  terminal.run("stty -a");
  await terminal.shows(/ icanon.* echo /su);
  // A terminal that still marked it would send the marks, too.
  terminal.paste("echo pasted-$((1 + 1))\n");
  await terminal.shows(/^pasted-2$/mu);
  terminal.resize(120, 40);
  terminal.run("clear; fg");
  await terminal.shows(/^a-request {2}RUNNING .*╭─ Roles ─+╮╭─▸Events ─{40,}.*\/kept/su);
  terminal.press("BSpace");
  await terminal.shows(/\/kep *\n/u);
  terminal.press("Escape");
  await terminal.shows("q leave it running");
  expect(terminal.rows().join("\n")).not.toContain("pasted-2");

  // A signal from outside does the same.
  const pid = Number(readFileSync(join(session.root, "wisp.pid"), "utf8"));
  process.kill(pid, "SIGTSTP");
  await terminal.shows("To come back to its screen: fg");
  terminal.run("clear; fg");
  await terminal.shows("q leave it running");
  // After a stop that was not announced, it is as the shell has left it.
  process.kill(pid, "SIGSTOP");
  await terminal.shows("[1] + Stopped");
  terminal.type("stty sane; clear; fg");
  terminal.press("C-j");
  await terminal.shows(/^a-request {2}RUNNING .*q leave it running/su);
  terminal.press("q");
  await terminal.shows("To come back: wisp up a-request");
});

test("Ctrl-L repairs what other programs have written on the terminal", async () => {
  await using session = processSession({ scenario: WORKING });
  await using terminal = tmuxTerminal(session, { columns: 80, rows: 24 });
  terminal.run("wisp start request.md --yes; echo code $?");
  await terminal.shows('is working on building "One"');
  const noise = "noise from a job\r\n".repeat(30);
  // Another character set, a scroll region, a wrapping cursor, and not even the alternate screen any more.
  terminal.disturb(`${noise}\u001B(0\u001B[5;9r\u001B[?6h\u001B[?7h\u001B[31;7m`);
  await terminal.shows("noise from a job");
  terminal.press("C-l");
  await terminal.shows(/^a-request {2}RUNNING .*╭─ Roles ─.*╰─+╯\n.*\? help/su);
  expect(terminal.rows().join("\n")).not.toContain("noise");
  terminal.disturb(`\u001B[?1049l${noise}`);
  await terminal.shows("noise from a job");
  terminal.press("C-l");
  await terminal.shows(/^a-request {2}RUNNING .*╭─ Roles ─.*╰─+╯\n.*\? help/su);
  expect(terminal.rows().join("\n")).not.toContain("noise");
  terminal.press("q");
  await terminal.shows("code 0");
});
