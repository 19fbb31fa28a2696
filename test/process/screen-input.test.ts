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
  terminal.press("Enter");
  await terminal.shows("request is complete.");
  await terminal.shows("code 0");
  expect(session.read("logs/human.log")).toContain(
    String.raw`text="With tabs,\nS\n日本語\nthank you"`,
  );
});
