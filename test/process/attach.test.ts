import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { putProgram, tmuxTerminal } from "../rig/tmux-terminal.ts";
import { ONE_TASK } from "./scenarios.ts";

const TEST_MS_MAX = 120_000;

/** In its turns it works for ever; for a person it commits something, leaves something, and waits for Enter. */
const CLAUDE = (root: string) => `#!/bin/sh
case "$*" in
  *--output-format*) echo turn >> '${root}/turns'; trap 'exit 1' TERM; sleep 1000 & wait; exit 1 ;;
esac
printf '%s\\n' "$*" > '${root}/attached'
pwd > '${root}/place'
echo mine > mine.txt
git add mine.txt
git commit -qm "Made by hand"
echo loose > loose.txt
echo "claude is here"
read -r line
echo "claude heard $line"
`;

function withClaude(session: ProcessSession): void {
  putProgram(session, "claude", CLAUDE(session.root));
  const path = ".wisp/config.yaml";
  const config = readFileSync(join(session.repository, path), "utf8");
  session.write(path, `${config}roles: { builder: { engine: claude } }\n`);
  session.git("commit", "-qam", "The builder is claude");
}

function linesOf(session: ProcessSession, name: string): readonly string[] {
  const path = join(session.root, name);
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

test(
  "a person takes the builder's place in its session and clone; the commits are published, the rest is saved",
  async () => {
    await using session = processSession({ scenario: ONE_TASK });
    withClaude(session);
    await using terminal = tmuxTerminal(session, { columns: 100, rows: 30 });
    terminal.run("wisp start request.md");
    await session.until("a turn", () => linesOf(session, "turns").length === 1);
    await terminal.shows('works at building "One"');

    terminal.press("a");
    await terminal.shows("claude is here");
    expect(linesOf(session, "attached")).toEqual([
      expect.stringMatching(/^--resume [0-9a-f-]{36}$/),
    ]);
    expect(linesOf(session, "place")[0]).toMatch(/builder\/clone$/);
    // Nobody else takes the role meanwhile, and what is typed reaches the engine whole.
    expect(linesOf(session, "turns")).toEqual(["turn"]);
    terminal.run("all of this");
    await session.until("the next turn", () => linesOf(session, "turns").length === 2);
    await terminal.shows('works at building "One"');

    expect(session.git("log", "--format=%s", "wisp/a-request")).toBe(
      "Made by hand\nThe builder is claude\nStart",
    );
    const rescued = session.git("for-each-ref", "--format=%(refname)", "refs/wisp/rescue");
    expect(session.git("show", `${rescued}:loose.txt`)).toBe("loose");
    terminal.press("C-c");
    await terminal.shows("request is not finished");
  },
  TEST_MS_MAX,
);

test(
  "without a terminal, and with an engine that takes turns only, nobody is attached or interrupted",
  async () => {
    await using session = processSession({ scenario: ONE_TASK });
    withClaude(session);
    await session.wisp("start", "request.md", "--no-up");
    const alone = await session.wisp("attach");
    expect(alone.code).toBe(4);
    expect(alone.stderr).toContain("wisp attach a-request builder");
    const turnsOnly = await session.wisp("attach", "a-request", "tester");
    expect(turnsOnly.code).toBe(1);
    expect(turnsOnly.stderr).toMatch(/cd \S+\/tester\/clone/);
    const dry = await session.wisp("attach", "--dry-run");
    expect(dry.stderr).toContain("Would interrupt the builder, and open claude");
    expect(session.read("logs/builder.log")).toBe("");
  },
  TEST_MS_MAX,
);
