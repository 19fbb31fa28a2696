import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { putProgram, tmuxTerminal } from "../rig/tmux-terminal.ts";
import { ONE_TASK } from "./scenarios.ts";

/**
 * In a turn it commits once and never ends. Attached to a person, it commits a file, leaves another uncommitted, and
 * waits for Enter; a line that was typed ahead does not count.
 */
const CLAUDE = (root: string) => `#!/bin/sh
case "$*" in
  *--output-format*)
    [ -e half.txt ] || { echo half > half.txt; git add half.txt; git commit -qm "Half of it"; }
    echo turn >> '${root}/turns'; trap 'exit 1' TERM; sleep 1000 & wait; exit 1 ;;
esac
printf '%s\\n' "$*" > '${root}/attached'
pwd > '${root}/place'
echo mine > mine.txt
git add mine.txt
git commit -qm "Made by hand"
echo loose > loose.txt
echo "claude is here"
while read -r line; do
  printf '%s\\n' "$line" >> '${root}/heard'
  case "$line" in *ahead) ;; *) exit ;; esac
done
`;

function withClaude(session: ProcessSession): void {
  putProgram(session, "claude", CLAUDE(session.root));
  const path = ".wisp/config.yaml";
  const config = readFileSync(join(session.repository, path), "utf8");
  const roles = "roles: { builder: { engine: claude }, reviewer: { engine: claude } }";
  session.write(path, `${config}${roles}\n`);
  session.git("commit", "-qam", "Some are claude");
}

function linesOf(session: ProcessSession, name: string): readonly string[] {
  const path = join(session.root, name);
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

test("attach puts a person into the builder's conversation and clone, publishes their commits, and saves the rest", async () => {
  await using session = processSession({ scenario: ONE_TASK });
  withClaude(session);
  await using terminal = tmuxTerminal(session, { columns: 100, rows: 30 });
  terminal.run("wisp start request.md --yes");
  await session.until("a turn", () => linesOf(session, "turns").length === 1);
  await terminal.shows('is working on building "One"');

  terminal.press("a");
  await terminal.shows("Its turn is interrupted. (y/n)");
  terminal.press("y");
  // wisp's screen has closed, and the engine has not started yet.
  await terminal.shows("wisp start request.md");
  terminal.run("typed ahead");
  await terminal.shows("claude is here");
  expect(linesOf(session, "attached")).toEqual([expect.stringMatching(/^--resume [0-9a-f-]{36}$/)]);
  expect(linesOf(session, "place")[0]).toMatch(/builder\/clone$/);
  // Meanwhile no other process runs the role, and everything typed reaches the engine.
  expect(linesOf(session, "turns")).toEqual(["turn"]);
  terminal.run("all of this");
  await session.until("the next turn", () => linesOf(session, "turns").length === 2);
  expect(linesOf(session, "heard")).toEqual(["typed ahead", "all of this"]);
  await terminal.shows('is working on building "One"');
  // The screen shows this until a key is pressed.
  await terminal.shows(
    "1 commit of yours (and 1 commit of the interrupted turn) on wisp/a-request",
  );
  await terminal.shows("The builder continues.");

  expect(session.git("log", "--format=%s", "wisp/a-request")).toBe(
    "Made by hand\nHalf of it\nSome are claude\nStart",
  );
  const rescued = session.git("for-each-ref", "--format=%(refname)", "refs/wisp/rescue");
  expect(session.git("show", `${rescued}:loose.txt`)).toBe("loose");
  terminal.press("C-c");
  await terminal.shows("request is not finished");
});

test("attach saves commits that conflict with the branch, and commits of a role that publishes none", async () => {
  await using session = processSession({ scenario: ONE_TASK });
  withClaude(session);
  await session.wisp("start", "request.md", "--no-up");
  await using terminal = tmuxTerminal(session, { columns: 160, rows: 30 });
  terminal.run("wisp attach");
  await terminal.shows("claude is here");
  const there = join(session.root, "theirs");
  session.git("worktree", "add", "--quiet", "--detach", there, "wisp/a-request");
  writeFileSync(join(there, "mine.txt"), "theirs\n");
  session.git("-C", there, "add", "--all");
  session.git("-C", there, "commit", "--quiet", "--message", "Theirs");
  const theirs = session.git("-C", there, "rev-parse", "HEAD");
  session.git("update-ref", "refs/heads/wisp/a-request", theirs);
  terminal.run("");
  await terminal.shows(/could not be put on the branch.*saved under refs\/wisp\/rescue/);
  await terminal.shows("To continue: wisp up a-request");
  expect(session.git("rev-parse", "wisp/a-request")).toBe(theirs);

  terminal.run("clear; wisp attach reviewer");
  // The terminal may still show the builder's output.
  const isThere = () => /reviewer\/clone$/.test(linesOf(session, "place")[0] ?? "");
  await session.until("an engine in the reviewer's clone", isThere);
  await terminal.shows("claude is here");
  terminal.run("");
  await terminal.shows(/The reviewer publishes no code: .* saved under refs\/wisp\/rescue/);
  expect(session.git("rev-parse", "wisp/a-request")).toBe(theirs);
  const saved = session.git("for-each-ref", "--format=%(refname)", "refs/wisp/rescue").split("\n");
  const files = saved.map((ref) => session.git("ls-tree", "--name-only", ref));
  expect(files.filter((names) => names.includes("mine.txt")).length).toBeGreaterThanOrEqual(2);
});

test("a person attached to a reviewer talks to an engine that the branch does not steer, and the clone is as on the branch after it", async () => {
  await using session = processSession({ scenario: ONE_TASK });
  withClaude(session);
  session.write("CLAUDE.md", "claude of the base\n");
  session.git("add", "--all");
  session.git("commit", "-qm", "Instruct");
  await session.wisp("start", "request.md", "--no-up");
  const there = join(session.root, "theirs");
  session.git("worktree", "add", "--quiet", "--detach", there, "wisp/a-request");
  writeFileSync(join(there, "CLAUDE.md"), "claude of the branch\n");
  writeFileSync(join(there, "GEMINI.md"), "gemini of the branch\n");
  session.git("-C", there, "add", "--all");
  session.git("-C", there, "commit", "--quiet", "--message", "Steer");
  session.git(
    "update-ref",
    "refs/heads/wisp/a-request",
    session.git("-C", there, "rev-parse", "HEAD"),
  );

  await using terminal = tmuxTerminal(session, { columns: 160, rows: 30 });
  terminal.run("wisp attach a-request reviewer");
  await terminal.shows("claude is here");
  const [clone = ""] = linesOf(session, "place");
  const inClone = (name: string) => {
    const path = join(clone, name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  };
  expect(clone).toMatch(/reviewer\/clone$/);
  expect(session.git("-C", clone, "show", "HEAD~:CLAUDE.md")).toBe("claude of the branch");
  expect([inClone("CLAUDE.md"), inClone("GEMINI.md")]).toEqual(["claude of the base\n", undefined]);
  terminal.run("");
  await terminal.shows("To continue: wisp up a-request");
  expect([inClone("CLAUDE.md"), inClone("GEMINI.md")]).toEqual([
    "claude of the branch\n",
    "gemini of the branch\n",
  ]);
  expect(session.git("-C", clone, "status", "--porcelain")).toBe("");
});

test("attach refuses to run without a terminal, or for an engine without an interactive mode, and interrupts nothing", async () => {
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
});
