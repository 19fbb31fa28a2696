import { expect, test } from "vitest";
import { worseThanBefore, verifyHead } from "../../../src/evidence/verify/verify-head.ts";
import { need } from "../../../src/base/fatal.ts";
import { commit, put } from "../../rig/in-process-session.ts";
import { EMPTY_BUILDER } from "../../../src/session/state/builder-state.ts";
import { stateWith } from "../../model/hand-made.ts";
import { sessionRig } from "../../agents/role-rig.ts";
import { PASSED } from "../../agents/turns.ts";

test.each([
  [
    { kind: "judged" },
    "red",
    /^verify fails with these tests: .*false exited with 1 \(logs\/turns\//,
  ],
  [{ kind: "accepted" }, "asbase", undefined],
] as const)(
  "red without names after red without names, with the base %j, is %s",
  async (baseOutcome, verify, reason) => {
    using rig = sessionRig();
    const { context } = rig.role("tester", () => PASSED, { session: { verify: [["false"]] } });
    const at = rig.session.base;
    const state = { ...stateWith({}), builder: { ...EMPTY_BUILDER, baseOutcome } };
    const unit = "final:1";
    expect(await verifyHead(context, state, { unit, at })).toMatchObject({ verify });
    const looked = await worseThanBefore(context, state, { unit, at, before: at });
    expect(looked.kind).toBe("checked");
    const why = looked.kind === "checked" ? looked.reason : "";
    if (reason === undefined) expect(why).toBeUndefined();
    else expect(why).toMatch(reason);
  },
);

/** A suite whose runs are counted beside the trees; each does what the word with its number says, or else the last one. */
function suite(rig: { readonly session: { readonly state: string } }, ...runs: readonly string[]) {
  const script = `
const fs = require("node:fs");
if (!fs.existsSync("test/new.test.js")) process.exit(0);
const marks = ${JSON.stringify("MARKS")};
fs.appendFileSync(marks, "x");
const runs = [${runs.map((run) => `() => { ${run} }`).join(", ")}];
runs[Math.min(fs.statSync(marks).size, runs.length) - 1]();
`.replace("MARKS", `${rig.session.state}.runs`);
  return [[process.execPath, "-e", script]];
}

/** The tester's clone, with a test of its own on top of the base. */
async function testing(...runs: readonly string[]) {
  const rig = sessionRig();
  const role = rig.role("tester", () => PASSED, { session: { verify: suite(rig, ...runs) } });
  const clone = await role.context.clone();
  need(await clone.syncTo());
  put(clone.directory, "test/new.test.js", "");
  commit(clone.directory, "Test");
  const at = need(await clone.head());
  const wanted = { unit: "test:One:1", at, before: rig.session.base };
  const judge = () => worseThanBefore(role.context, stateWith({}), wanted);
  return { ...role, judge, [Symbol.dispose]: () => rig[Symbol.dispose]() };
}

test("tests with which verify is killed in each of three runs are not called red: it is not known what it says", async () => {
  using tester = await testing(`process.kill(process.pid, "SIGKILL")`);
  const judged = await tester.judge();
  expect(judged).toMatchObject({ kind: "checked" });
  const reason = judged.kind === "checked" ? judged.reason : "";
  expect(reason).toMatch(/^what verify says with these tests is not known: .*SIGKILL/u);
  expect(tester.recordsOf("look").map(({ verdict }) => verdict)).toEqual(Array(3).fill("unknown"));
  expect(tester.recordsOf("command.result")).toEqual([]);
});

test("tests with which verify is killed once are judged by the run after it", async () => {
  using tester = await testing(`process.kill(process.pid, "SIGKILL")`, "");
  expect(await tester.judge()).toEqual({ kind: "checked", reason: undefined });
});

test("a test that is red in one of the tester's runs and green in another one is named", async () => {
  using tester = await testing(`console.log("not ok 1 - waits"); process.exitCode = 1;`, "");
  expect(await tester.judge()).toEqual({ kind: "checked", reason: undefined });
  expect(tester.recordsOf("command.result").at(-1)).toMatchObject({
    outcome: "passed",
    split: ["waits"],
  });
  expect(tester.recordsOf("note").map(({ text }) => text)).toEqual([
    expect.stringMatching(/^unsteady at \w+, red in one run and green in another: waits$/u),
  ]);
});
