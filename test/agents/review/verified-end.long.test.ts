import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import { roleLog, type Home } from "../../../src/fs-protocol/home/home.ts";
import { TesterRecord } from "../../../src/fs-protocol/records/tester-log.ts";
import { createHost } from "../../../src/host/host.ts";
import { commit, inProcessSession, put, type Script } from "../../rig/in-process-session.ts";
import { ofKind, readRecords } from "../../rig/read-log.ts";
import { found, PASSED } from "../turns.ts";
import { lastEndOf } from "../../../src/session/state/stage.ts";

// Whole sessions whose work is red at the end: none may complete in that state.

const DONE = { kind: "ended", status: "DONE", summary: "", text: "" } as const;

/** Red if a test expects another word than the code has. */
const VERIFY = `
  const { existsSync, readFileSync } = require("node:fs");
  const word = existsSync("src/word") ? readFileSync("src/word", "utf8") : "";
  const wanted = existsSync("test/word") ? readFileSync("test/word", "utf8") : word && "hello";
  if (word !== wanted) { console.log("not ok 1 - the word is " + wanted); process.exit(1); }`;
const COMMANDS = { verify: [[process.execPath, "-e", VERIFY]] };
const SHOWS = "grep -q you src/word";

function build({ cwd, tasksFile = "" }: TurnRequest): TurnOutcome {
  put(cwd, "src/word", "hello");
  commit(cwd, "Say hello");
  const text = readFileSync(tasksFile, "utf8");
  writeFileSync(tasksFile, text.replace("- [ ]", "- [x]"));
  return DONE;
}

/** One milestone that is built correctly; the script does the rest. */
function around(script: (request: TurnRequest) => TurnOutcome | undefined): Script {
  return (request) => {
    const own = script(request);
    if (own !== undefined) return own;
    if (request.purpose === "plan") {
      writeFileSync(request.tasksFile ?? "", "## Milestone: One\n\n- [ ] Say hello\n");
      return DONE;
    }
    return request.purpose === "build" ? build(request) : PASSED;
  };
}

test("a commit that a person pushes at the last moment is verified, and fixed if it is red", async () => {
  using session = inProcessSession(COMMANDS);
  let pushed = 0;
  const fixes: string[] = [];
  await session.runAll(
    around(({ purpose, cwd, prompt }) => {
      if (purpose === "final-test" && pushed++ === 0) breakWord(session);
      if (purpose !== "fix") return undefined;
      fixes.push(prompt, readFileSync(/`(\/\S+\/verify\.out)`/.exec(prompt)?.[1] ?? "", "utf8"));
      put(cwd, "src/word", "hello");
      return DONE;
    }),
  );
  const { builder, tester } = await session.state();
  expect(lastEndOf(builder)?.how).toBe("complete");
  const passes = ofKind(testerLog(session.home), "final.end").map(({ verify }) => verify);
  expect(passes).toContain("red");
  expect(passes.at(-1)).toBe("passed");
  expect(fixes).toHaveLength(2);
  for (const told of fixes) expect(told).toContain("not ok 1 - the word is hello");
  expect(fixes[0]).toContain("The verify commands fail on the finished branch: the word is hello");
  expect(tester.finalAt).toBe(session.git("rev-parse", "wisp/demo"));
  expect(session.git("show", "wisp/demo:src/word")).toBe("hello");
});

test("a session with a red branch that no attempt fixes ends stuck, and names the failure", async () => {
  using session = inProcessSession({ ...COMMANDS, policy: { fixAttemptsMax: 1 } });
  let pushed = 0;
  await session.runAll(
    around(({ purpose }) => {
      if (purpose === "final-test" && pushed++ === 0) breakWord(session);
      return undefined;
    }),
  );
  const { builder, tester } = await session.state();
  expect(lastEndOf(builder)?.how).toBe("stuck");
  const [bug] = [...tester.open].map((id) => tester.items.get(id));
  expect(bug).toMatchObject({ computed: { of: "verify" }, level: "blocking" });
  expect(lastEndOf(builder)?.reason).toContain(
    `${bug?.id ?? ""}: verify is still red: the word is hello.`,
  );
});

test("a final pass publishes no red tests that belong to no bug", async () => {
  using session = inProcessSession(COMMANDS);
  await session.runAll(
    around(({ purpose, cwd }) => {
      if (purpose === "final-test") put(cwd, "test/word", "goodbye");
      return undefined;
    }),
  );
  const { builder } = await session.state();
  expect(lastEndOf(builder)?.how).toBe("complete");
  expect(session.git("ls-tree", "-r", "--name-only", "wisp/demo")).not.toContain("test/word");
  const notes = ofKind(testerLog(session.home), "note").map(({ text }) => text);
  const note = notes.find((text) => text.includes("verify fails with these tests"));
  const [rescue = ""] = /refs\/wisp\/rescue\/\S+?(?=[:)\s]|$)/.exec(note ?? "") ?? [];
  expect(session.git("show", `${rescue}:test/word`)).toBe("goodbye");
});

test("red tests that show a bug are held back for its fix, which begins with them and commits them", async () => {
  using session = inProcessSession(COMMANDS);
  const begun: string[] = [];
  let tests = 0;
  await session.runAll(
    around(({ purpose, cwd, prompt }) => {
      if (purpose === "test" && tests++ === 0) {
        put(cwd, "test/word", "hello you");
        return found("Bug", "src/word:1", SHOWS);
      }
      if (purpose !== "fix") return undefined;
      begun.push(readFileSync(`${cwd}/test/word`, "utf8"), prompt);
      put(cwd, "src/word", "hello you");
      return DONE;
    }),
  );
  const { builder, tester } = await session.state();
  expect(lastEndOf(builder)).toMatchObject({ how: "complete", open: [] });
  expect(tester.items.size).toBe(1);
  expect(begun[0]).toBe("hello you");
  expect(begun[1]).toContain("`test/word`");
  const [fixed] = [...builder.fixes.values()].flat();
  const files = session.git("show", "--format=", "--name-only", fixed?.sha ?? "");
  expect(files.split("\n").sort()).toEqual(["src/word", "test/word"]);
  expect(ofKind(testerLog(session.home), "push.done")).toEqual([]);
});

test("a fix with nothing but the held tests counts as no change", async () => {
  using session = inProcessSession({ ...COMMANDS, policy: { fixAttemptsMax: 1 } });
  let tests = 0;
  await session.runAll(
    around(({ purpose, cwd }) => {
      if (purpose !== "test" || tests++ > 0) return undefined;
      put(cwd, "test/word", "hello you");
      return found("Bug", "src/word:1", SHOWS);
    }),
  );
  const { builder } = await session.state();
  expect([...builder.fixes.values()].flat().map(({ outcome }) => outcome)).toEqual(["nochange"]);
  expect(lastEndOf(builder)?.how).toBe("stuck");
});

function testerLog(home: Home): readonly TesterRecord[] {
  return readRecords(createHost().files, roleLog(home, "tester"), TesterRecord);
}

function breakWord({ repository, git }: ReturnType<typeof inProcessSession>): void {
  git("worktree", "add", "-q", `${repository}-person`, "wisp/demo");
  put(`${repository}-person`, "src/word", "hullo");
  commit(`${repository}-person`, "Say hullo");
  git("worktree", "remove", "--force", `${repository}-person`);
}
