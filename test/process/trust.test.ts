import { expect, test } from "vitest";
import { processSession } from "../rig/process-session.ts";
import { tmuxTerminal } from "../rig/tmux-terminal.ts";
import { ONE_TASK } from "./scenarios.ts";

const WIDE = { columns: 200, rows: 30 };

test("on a terminal start asks once before it runs a repository's commands, and creates nothing after a no", async () => {
  await using session = processSession({ scenario: ONE_TASK, config: `verify: ["true"]\n` });
  const branches = () => session.git("for-each-ref", "--format=%(refname:short)", "refs/heads");
  await using terminal = tmuxTerminal(session, WIDE);
  terminal.run("wisp start request.md --no-up; echo code $?");
  await terminal.shows(/ {2}verify {2,}true\n/);
  await terminal.shows("Run these commands? [y/N]");
  terminal.run("n");
  await terminal.shows("Nothing was created.");
  await terminal.shows("code 1");
  expect(branches()).toBe("main");
  terminal.run("clear; wisp start request.md --no-up; echo code $?");
  await terminal.shows("Run these commands? [y/N]");
  terminal.run("y");
  await terminal.shows("code 0");
  expect(branches()).toBe("main\nwisp/a-request");
  terminal.run("clear; wisp start request.md --no-up --again; echo code $?");
  await terminal.shows("wisp/a-request-2");
  await terminal.shows("code 0");
  expect(terminal.rows().join("\n")).not.toContain("Run these commands?");
});
