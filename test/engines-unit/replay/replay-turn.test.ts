import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeReviewers } from "../../../src/agents/reviewer/describe-reviewers.ts";
import { replayTurn } from "../../../src/engines/replay/replay-turn.ts";
import { ownEnvironment } from "../../rig/own-environment.ts";

let directory = "";
let clone = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wisp-"));
  clone = join(directory, "clone");
  mkdirSync(clone);
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

const ENV = ownEnvironment();

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: clone, env: ENV, encoding: "utf8" }).trim();
}

function initClone(): void {
  git("init", "--quiet");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  git("config", "commit.gpgsign", "true");
  writeFileSync(join(clone, "a.txt"), "one\ntwo\n");
  git("add", "--all");
  git("-c", "commit.gpgsign=false", "commit", "--quiet", "--message", "Add a text");
}

interface Play {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Plays one turn of a cassette whose turns are given as YAML. */
async function play(
  turns: string,
  env: Record<string, string> = {},
  prompt = "Build it.",
): Promise<Play> {
  const cassettePath = join(directory, "cassette.yaml");
  writeFileSync(cassettePath, `version: 1\nturns:\n${turns}`);
  let stdout = "";
  let stderr = "";
  const exitCode = await replayTurn({
    cassettePath,
    env: { ...ENV, WISP_PURPOSE: "build", WISP_UNIT: "build:One:1", WISP_MILESTONE: "One", ...env },
    cwd: clone,
    readPrompt: () => prompt,
    print: (text) => (stdout += text),
    complain: (text) => (stderr += text),
    kill: () => expect.fail("killed"),
    ignoreTerm: () => expect.fail("stubborn"),
  });
  return { exitCode, stdout, stderr: stderr.replaceAll(directory, "DIR") };
}

/** Plays these steps, each given as a line of YAML. */
async function playSteps(
  steps: readonly string[],
  env: Record<string, string> = {},
): Promise<Play> {
  const list = steps.map((step) => `      - ${step}\n`).join("");
  return play(`  - on: { purpose: build }\n    do:\n${list}`, env);
}

test("writes, patches and deletes files in the clone", async () => {
  writeFileSync(join(clone, "old.txt"), "");
  writeFileSync(join(clone, "a.txt"), "let $& = 1;\n");
  const played = await playSteps([
    `write: { path: deep/er/run.sh, content: "#!/bin/sh\\n", executable: true }`,
    `patch: { path: a.txt, find: "$& = 1", replace: "$$ = 2" }`,
    `delete: { path: old.txt }`,
  ]);
  expect(played).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  expect(statSync(join(clone, "deep/er/run.sh")).mode & 0o111).not.toBe(0);
  expect(readFileSync(join(clone, "a.txt"), "utf8")).toBe("let $$ = 2;\n");
  expect(existsSync(join(clone, "old.txt"))).toBe(false);
});

test("makes real commits, of everything or of some paths, and never signs them", async () => {
  initClone();
  const played = await playSteps([
    `write: { path: b.txt, content: b }`,
    `write: { path: c.txt, content: c }`,
    `commit: { message: "Add b", paths: [b.txt] }`,
    `delete: { path: a.txt }`,
    `commit: "Add c; drop a $(id)"`,
  ]);
  expect(played).toMatchObject({ exitCode: 0, stdout: "" });
  expect(git("log", "--format=%s", "--name-status")).toBe(
    "Add c; drop a $(id)\n\nD\ta.txt\nA\tc.txt\nAdd b\n\nA\tb.txt\nAdd a text\n\nA\ta.txt",
  );
});

test("prints output with a final line break; a turn may exit early with any code", async () => {
  expect(await playSteps(["print: hello", `print: "a\\n"`, "exit: 7", "print: never"])).toEqual({
    exitCode: 7,
    stdout: "hello\na\n",
    stderr: "",
  });
});

test("runs real commands, with their output on standard error", async () => {
  const node = JSON.stringify(process.execPath);
  expect(
    await playSteps([
      `run: { argv: [${node}, -e, "console.log(process.env.WISP_UNIT); process.exit(3)"], exit: 3 }`,
    ]),
  ).toEqual({ exitCode: 0, stdout: "", stderr: "build:One:1\n" });
});

test("writes the plan and ticks its tasks in the file that the turn names", async () => {
  const tasksFile = join(directory, "TASKS.md");
  const env = { WISP_TASKS_FILE: tasksFile };
  const plan = JSON.stringify(
    "## Milestone: One\n- [ ] a\n- [ ] b\n\n## Milestone: Two\n- [ ] c\n",
  );
  const played = await playSteps(
    [`plan: ${plan}`, "tick: 2", "tick: { milestone: Two, tasks: [c] }"],
    env,
  );
  expect(played).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  expect(readFileSync(tasksFile, "utf8")).toBe(
    "## Milestone: One\n- [ ] a\n- [x] b\n\n## Milestone: Two\n- [x] c\n",
  );
});

test.each([
  [`patch: { path: a.txt, find: three, replace: x }`, "a.txt has the text to find nowhere"],
  [`patch: { path: a.txt, find: o, replace: x }`, "a.txt has the text to find 2 times"],
  [`patch: { path: none.txt, find: o, replace: x }`, "ENOENT"],
  [`delete: { path: none.txt }`, "ENOENT"],
  [`run: { argv: [git, --nonsense] }`, "ended with exit code 129, not with exit code 0"],
  [`run: { argv: [no-such-program] }`, "ENOENT"],
  [`commit: nothing`, "ended with exit code 1"],
  [`tick: 1`, "WISP_TASKS_FILE is not set"],
  [`plan: x`, "WISP_TASKS_FILE is not set"],
])("fails with a message if a step cannot be played: %s", async (step, complaint) => {
  initClone();
  const played = await playSteps(["delay: 0", step, "print: never"]);
  expect(played).toMatchObject({ exitCode: 4, stdout: "" });
  expect(played.stderr).toContain(complaint);
  expect(played.stderr).toMatch(/replay: DIR\/cassette\.yaml:6: step 2 \(\w+\): /u);
});

test("chooses the turn by the commit that it is about", async () => {
  initClone();
  const turns = `  - on: { purpose: review-commit, subject: Drop * }
    do: [print: no]
  - on: { purpose: review-commit, subject: Add * }
    do: [print: "yes"]
`;
  const env = { WISP_PURPOSE: "review-commit", WISP_END_SHA: git("rev-parse", "HEAD") };
  expect(await play(turns, env)).toMatchObject({ exitCode: 0, stdout: "yes\n" });
});

test("plays a turn for each reviewer that shares it, unless it names them itself", async () => {
  const reviewers = ["a", "b"].map((name) => ({ name, level: "blocking" as const }));
  const sharing = reviewers.map((one) => ({ ...one, when: "both" as const, prompt: "Look." }));
  const prompt = `Review.\n\n${describeReviewers(sharing)}\n\n## This turn\n\nEnd: here\n`;
  const env = { WISP_PURPOSE: "review-milestone" };
  const each = `  - on: { prompt: "## b (blocking)" }
    do: [print: not yet]
  - on: { prompt: "End: here" }
    do: [print: well]
`;
  // The first turn that matches everything is that of the second reviewer.
  const played = await play(each, env, prompt);
  expect(played.stdout).toBe("[Review] a (blocking)\n\nwell\n[Review] b (blocking)\n\nnot yet\n");
  const whole = `  - on: { prompt: 2 reviewers in turn }\n    do: [print: "[Review] a"]\n`;
  expect((await play(whole, env, prompt)).stdout).toBe("[Review] a\n");
});

test("exits with 3 and names the request if the cassette has no such turn", async () => {
  initClone();
  const env = { WISP_ATTEMPT: "2", WISP_ASK: "2", WISP_END_SHA: git("rev-parse", "HEAD") };
  expect(await play("  - on: { purpose: plan }\n    do: []\n", env)).toEqual({
    exitCode: 3,
    stdout: "",
    stderr:
      'replay: DIR/cassette.yaml has no turn for purpose=build unit=build:One:1 attempt=2 ask=2 subject="Add a text"\n',
  });
});

test("does not pass a hostile end commit to git", async () => {
  const turns = "  - on: { subject: '*' }\n    do: []\n";
  const played = await play(turns, { WISP_END_SHA: `--output=${directory}/x` });
  expect(played.exitCode).toBe(3);
  expect(existsSync(join(directory, "x"))).toBe(false);
});

test("exits with 2 and names line and key if the cassette is broken", async () => {
  expect(await play("  - on: { purpose: build }\n    do: [dely: 1]\n")).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: 'replay: DIR/cassette.yaml:4: turns[0].do[0].dely: Unrecognized key: "dely"\n',
  });
});

test("gives the same result if a turn is played again", async () => {
  const turns =
    "  - on: { prompt: Build, attempt: 1 }\n    do: [print: first]\n  - on: {}\n    do: [print: other]\n";
  expect((await play(turns)).stdout).toBe("first\n");
  expect((await play(turns)).stdout).toBe("first\n");
});
