import { lastEndOf } from "../../src/session/state/stage.ts";
import { expect, test } from "vitest";
import type { CassetteStep, CassetteTurn } from "../../src/engines/replay/cassette-schema.ts";
import { checkSession } from "../rig/check-session.ts";
import type { ProcessSession } from "../rig/process-session.ts";
import { needsWork, on, oneTask, PASSED, put, replaySession } from "../rig/replay-session.ts";

/** A session of one task, followed by turns that report bugs in it. */
function claiming(turns: readonly CassetteTurn[], config = ""): ProcessSession {
  const built = oneTask("Say hello", put("hello.txt", "hello\n"));
  return replaySession({ turns: [...built, ...turns], config });
}

/** A bug in `hello.txt`, and the command that supposedly shows it. */
function bug(brief: string, command: string): CassetteStep {
  return { print: needsWork({ category: "Bug", file: "hello.txt", brief, command }) };
}

/** Runs the session to its end. */
async function played(session: ProcessSession) {
  const ended = await session.wisp("start", "request.md");
  expect(ended).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  return { history, branch, output: ended.stdout + ended.stderr };
}

/** The bug's command and its output in the prompt of a fix. */
const TOLD = "   - Command: sh test/hello.sh\n   - Output: no-greeting";

test("a bug that its command shows is fixed in a commit of its own, and closed without a turn once the command passes", async () => {
  await using session = claiming([
    on(
      { purpose: "test" },
      put("test/hello.sh", "grep -q Hello hello.txt || { echo no-greeting; exit 1; }\n"),
      bug("It greets nobody", "sh test/hello.sh"),
    ),
    on({ purpose: "fix", prompt: TOLD }, put("hello.txt", "Hello\n")),
    // No turn is needed to verify the fix.
    on({ purpose: "verify-fix" }, { exit: 9 }),
  ]);
  const { history, branch } = await played(session);
  const [id = ""] = history.tester.fold.items.keys();
  expect([...history.tester.fold.open]).toEqual([]);
  expect(session.git("log", "--format=%s", branch, "^main").split("\n")).toEqual([
    "fix(bug): " + id + " - It greets nobody",
    "test: cover One",
    "Say hello",
  ]);
  expect(session.read("logs/tester.log")).not.toContain("purpose=verify-fix");
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
});

test("a command that could not check anything shows no bug, and the log gives the reason", async () => {
  await using session = claiming([
    on({ purpose: "test" }, bug("It is not listed", "grep -q hello LISTING")),
    on({ purpose: "fix" }, { exit: 9 }),
  ]);
  const { history } = await played(session);
  expect(history.tester.fold.items.size).toBe(0);
  expect(session.read("logs/tester.log")).toContain("it exited with 2: grep could not look");
});

test("bugs whose command passes or needs a shell are refused, and lead to no fix", async () => {
  await using session = claiming([
    on({ purpose: "test" }, bug("It is not there", "test -e hello.txt")),
    on({ purpose: "final-test" }, bug("It is short", "grep -c x hello.txt | tail")),
    // No fix may be asked for.
    on({ purpose: "fix" }, { exit: 9 }),
  ]);
  const { history, branch, output } = await played(session);
  expect(history.tester.fold.items.size).toBe(0);
  expect(history.builder.fold.fixes.size).toBe(0);
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  expect(session.read("BUGS.md")).toBe("");
  const log = session.read("logs/tester.log");
  expect(log).toContain("refused a bug at hello.txt:1, its command passes: It is not there");
  expect(log).toContain("makes a pipe");
  expect(output).toContain("its command passes");
  expect(session.git("log", "--format=%s", branch, "^main")).toBe("Say hello");
});

const NEVER_ENDS = `import { existsSync } from "node:fs";
import { spawn } from "node:child_process";
if (!existsSync("ends")) {
  const forever = ["-e", "setInterval(() => {}, 1000)"];
  spawn(process.execPath, forever, { detached: true, stdio: "ignore" });
  setInterval(() => {}, 1000);
}
`;

test("a command that never ends is killed with all processes that it started, and proves a bug until it ends by itself", async () => {
  await using session = claiming(
    [
      on(
        { purpose: "test" },
        put("test/ends.mjs", NEVER_ENDS),
        bug("It never ends", "node test/ends.mjs"),
      ),
      on({ purpose: "fix" }, put("ends", "")),
    ],
    "verifyTimeout: 1s\n",
  );
  const { history } = await played(session);
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  expect(session.leftovers().filter((line) => line.includes("setInterval"))).toEqual([]);
  const results = history.tester.records.filter(({ kind }) => kind === "command.result");
  expect(results).toMatchObject([
    { outcome: "failed", reason: "it did not end within 1 s" },
    { outcome: "passed" },
  ]);
});

test("a tester that writes outside the test paths commits nothing, and its work is saved", async () => {
  await using session = claiming([
    on({ purpose: "test" }, put("test/one.txt", "tested\n"), put("hello.txt", "hijacked\n"), {
      print: PASSED,
    }),
  ]);
  const { history, branch } = await played(session);
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  expect(session.git("log", "--format=%s", branch, "^main")).toBe("Say hello");
  expect(session.git("show", branch + ":hello.txt")).toBe("hello");
  const rescue = session.git("for-each-ref", "--format=%(refname)", "refs/wisp/rescue");
  expect(session.git("show", rescue + ":hello.txt")).toBe("hijacked");
  expect(session.read("logs/tester.log")).toContain(
    "a tester may only commit tests, not hello.txt",
  );
});
