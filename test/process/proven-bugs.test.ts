import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";

/** A session of one task, in which something is claimed of it. */
function claiming(scenario: string, config = ""): ProcessSession {
  return processSession({ scenario: `${ONE_TASK}\n${scenario}`, config });
}

/** What it comes to. */
async function played(session: ProcessSession) {
  const ended = await session.wisp("start", "request.md");
  expect(ended).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  return { history, branch, output: ended.stdout + ended.stderr };
}

test("a bug that its command shows is fixed in a commit of its own, and closed when the command passes", async () => {
  await using session = claiming(String.raw`
      test(t) {
        t.put("test/hello.sh", "grep -q Hello hello.txt || { echo no-greeting; exit 1; }\n");
        t.needsWork("Bug", "hello.txt", "It greets nobody", "sh test/hello.sh");
      },
      fix(t) {
        t.put("hello.txt", "Hello\n");
        t.put("told.txt", String(t.prompt.includes("sh test/hello.sh") && t.prompt.includes("no-greeting")));
      },
      "verify-fix": () => { throw new Error("nobody is asked"); },`);
  const { history, branch } = await played(session);
  const [id = ""] = history.tester.fold.items.keys();
  expect([...history.tester.fold.open]).toEqual([]);
  expect(session.git("log", "--format=%s", branch, "^main").split("\n")).toEqual([
    "fix(bug): " + id + " - It greets nobody",
    "test: cover One",
    "Say hello",
  ]);
  expect(session.git("show", branch + ":told.txt")).toBe("true");
  const bugs = session.read("BUGS.md").split("\n");
  expect(bugs.map((line) => line.split(" ").slice(0, 2).join(" ").trim())).toEqual([
    "OPEN " + id,
    "",
    "",
    "CLOSED " + id,
    "",
  ]);
  expect(bugs.slice(1, 3)).toEqual([
    "    $ sh test/hello.sh",
    "    > no-greeting (it exited with 1)",
  ]);
  expect(session.read("PROGRESS.txt")).toContain("- Output: no-greeting");
  const results = history.tester.records.filter(({ kind }) => kind === "command.result");
  expect(results).toMatchObject([{ outcome: "failed" }, { outcome: "passed" }]);
}, 120_000);

test("false bugs, and commands for a shell, are refused and fix nothing", async () => {
  await using session = claiming(String.raw`
      test: (t) => t.needsWork("Bug", "hello.txt", "It is not there", "test -e hello.txt"),
      "final-test": (t) => t.needsWork("Bug", "hello.txt", "It is short", "grep -c x hello.txt | tail"),
      fix: () => { throw new Error("there is nothing to fix"); },`);
  const { history, branch, output } = await played(session);
  expect(history.tester.fold.items.size).toBe(0);
  expect(history.builder.fold.done?.how).toBe("complete");
  expect(session.read("BUGS.md")).toBe("");
  const log = session.read("logs/tester.log");
  expect(log).toContain("refused a bug at hello.txt:1, its command passes: It is not there");
  expect(log).toContain("makes a pipe");
  expect(output).toContain("its command passes");
  expect(session.git("log", "--format=%s", branch, "^main")).toBe("Say hello");
}, 120_000);

test("a command that never ends is ended with all that it started, and shows a bug until it ends", async () => {
  await using session = claiming(
    String.raw`
      test(t) {
        t.put("test/ends.mjs", [
          'import { existsSync } from "node:fs";',
          'import { spawn } from "node:child_process";',
          'if (!existsSync("ends")) {',
          '  spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });',
          '  setInterval(() => {}, 1000);',
          '}',
        ].join("\n") + "\n");
        t.needsWork("Bug", "hello.txt", "It never ends", "node test/ends.mjs");
      },
      fix: (t) => t.put("ends", ""),`,
    "verifyTimeout: 1s\n",
  );
  const { history } = await played(session);
  expect(history.builder.fold.done?.how).toBe("complete");
  expect(session.leftovers().filter((line) => line.includes("setInterval"))).toEqual([]);
  const results = history.tester.records.filter(({ kind }) => kind === "command.result");
  expect(results).toMatchObject([
    { outcome: "failed", reason: "it did not end within 1 s" },
    { outcome: "passed" },
  ]);
}, 120_000);

test("a tester that writes elsewhere than in test paths commits nothing, and its work is saved", async () => {
  await using session = claiming(String.raw`
      test(t) {
        t.put("test/one.txt", "tested\n");
        t.put("hello.txt", "hijacked\n");
        t.passed();
      },`);
  const { history, branch } = await played(session);
  expect(history.builder.fold.done?.how).toBe("complete");
  expect(session.git("log", "--format=%s", branch, "^main")).toBe("Say hello");
  expect(session.git("show", branch + ":hello.txt")).toBe("hello");
  const rescue = session.git("for-each-ref", "--format=%(refname)", "refs/wisp/rescue");
  expect(session.git("show", rescue + ":hello.txt")).toBe("hijacked");
  expect(session.read("logs/tester.log")).toContain(
    "a tester may only commit tests, not hello.txt",
  );
}, 120_000);
