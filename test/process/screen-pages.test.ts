import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { widthOf } from "../../src/views/rows/cells.ts";
import { checkSession } from "../rig/check-session.ts";
import { processSession } from "../rig/process-session.ts";
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
  await terminal.shows("request is complete.");
  await terminal.shows("code 0");
  const human = session.read("logs/human.log");
  expect(human.match(/ dismiss /gu)).toHaveLength(1);
  expect(human).toContain(`dismiss id=${id} why="Short is how we greet"`);
  expect(checkSession(session.home()).broken).toBeUndefined();
});
