import { readFileSync, writeFileSync } from "node:fs";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import { commit, put, type Script } from "../../rig/in-process-session.ts";
import { PASSED, said } from "../../agents/turns.ts";

/** Runs the files in `test`, and prints the names of failing tests as TAP. */
const RUNNER = `
const fs = require("node:fs");
let count = 0;
global.test = (name, body) => {
  count += 1;
  try { body(); } catch { process.exitCode = 1; console.log("not ok " + count + " - " + name); }
};
global.assert = require("node:assert");
for (const name of fs.readdirSync("test").sort()) require("./test/" + name);
`;
const SUM = "exports.sum = (a, b) => a + b;\n";
const TESTS = `const { sum } = require("../sum.js");
test("adds numbers", () => { assert.equal(sum(1, 2), 3); });
test("takes zero", () => { assert.equal(sum(0, 0), 0); });
`;

/** A small project whose tests pass, and changes to it. */
export const SUMMING = {
  verify: [[process.execPath, "run.cjs"]],
  files: { "run.cjs": RUNNER, "sum.js": SUM, "test/sum.test.js": TESTS },
  right: SUM,
  tests: TESTS,
  /** The break that the test "adds numbers" detects. */
  broken: SUM.replace("+", "-"),
  weakTests: TESTS.replace("assert.equal(sum(1, 2), 3)", "assert.ok(sum(1, 2))"),
  bentTests: TESTS.replace("sum(1, 2), 3", "sum(1, 2), -1"),
} as const;

export const DONE = said("");

/** The changes of a milestone's build turn. */
export type Changes = Readonly<Record<string, string>>;

/**
 * A session with one task per milestone, built as `builds` says; `script` may replace any turn.
 *
 * @param tasks the task of each milestone
 */
export function planned(
  tasks: Readonly<Record<string, string>>,
  builds: Readonly<Record<string, Changes>>,
  script: (request: TurnRequest) => TurnOutcome | undefined = () => undefined,
): Script {
  return (request) => {
    const own = script(request);
    if (own !== undefined) return own;
    const { purpose, cwd, tasksFile = "", milestone = "" } = request;
    if (purpose === "plan") {
      const plan = Object.entries(tasks).map(
        ([name, task]) => `## Milestone: ${name}\n\n- [ ] ${task}\n`,
      );
      writeFileSync(tasksFile, plan.join("\n"));
      return DONE;
    }
    if (purpose !== "build") return PASSED;
    for (const [path, text] of Object.entries(builds[milestone] ?? {})) put(cwd, path, text);
    commit(cwd, `Build ${milestone}`);
    const text = readFileSync(tasksFile, "utf8");
    writeFileSync(
      tasksFile,
      text.replace(`- [ ] ${tasks[milestone] ?? ""}`, `- [x] ${tasks[milestone] ?? ""}`),
    );
    return DONE;
  };
}
