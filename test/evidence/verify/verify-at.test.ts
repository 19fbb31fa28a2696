import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REFERENCE, isAcceptable, verifyAt } from "../../../src/evidence/verify/verify-at.ts";
import { isBaseExcuse } from "../../../src/evidence/verify/base-licence.ts";
import { outputTail } from "../../../src/evidence/verify/output-tail.ts";
import { present } from "../../../src/base/assert.ts";
import type { Oid } from "../../../src/base/oid.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../../src/session/state/fold-builder.ts";
import type { SessionJson } from "../../../src/fs-protocol/home/session-json.ts";
import { DEFAULT_POLICY } from "../../rig/default-policy.ts";
import { commit, put } from "../../rig/in-process-session.ts";
import { sessionRig, type RoleRig, type SessionRig } from "../../agents/role-rig.ts";
import { PASSED } from "../../agents/turns.ts";

/** Prints a line for each name in `failing.txt`, as TAP does, and fails when there is one. */
const CHECK = `
const fs = require("node:fs");
fs.writeFileSync("left-behind.txt", "");
fs.appendFileSync(require("node:path").resolve("../../..") + ".runs", "x");
const names = fs.readFileSync("failing.txt", "utf8").split("\\n").filter(Boolean);
names.forEach((name, index) => console.log("not ok " + (index + 1) + " - " + name));
process.exit(names.length > 0 ? 1 : 0);
`;
const VERIFY = [[process.execPath, "check.cjs"]];

let rig: SessionRig;
const at = new Map<string, Oid>();
/** Commits by the tests that fail there: none, a, a and b, and one where the check itself is broken. */
beforeAll(async () => {
  rig = sessionRig();
  const clone = await rig.role("builder").context.clone();
  const add = async (name: string, failing: string, check = CHECK) => {
    put(clone.directory, "check.cjs", check);
    put(clone.directory, "failing.txt", failing);
    commit(clone.directory, name);
    const head = await clone.head();
    at.set(name, head.ok ? head.value : "");
  };
  await clone.syncTo();
  await add("green", "");
  await add("a", "a\n");
  await add("a b", "a\nb\n");
  await add("broken", "", "syntax error");
  await clone.publish(oid("broken"));
});
afterAll(() => {
  rig[Symbol.dispose]();
});

const oid = (name: string) => present(at.get(name), "a commit of that name");

let made = 0;

/** A builder of the session, at a later time than the last one, with its own view of what was verified so far. */
function builderOf(fields: Partial<SessionJson> = {}, stop = rig.stop) {
  const session = { verify: VERIFY, ...fields };
  const role: RoleRig<"builder"> = rig.role("builder", () => PASSED, { session, stop });
  void role.clock.sleep(++made * 1_000);
  const before = role.records().length;
  const { context } = role;
  /** What it wrote since, without the looks behind its results. */
  const written = () =>
    role
      .records()
      .slice(before)
      .filter(({ kind }) => kind !== "look");
  const fold = (): BuilderFold =>
    written().reduce(
      (state, record) => foldBuilder(state, record, rig.session.policy),
      EMPTY_BUILDER,
    );
  return { context, written, fold };
}

function runs(): number {
  return readFileSync(`${rig.session.state}.runs`, { encoding: "utf8", flag: "a+" }).length;
}

test("without a verify command everything is accepted, and nothing is recorded", async () => {
  const { context, written } = builderOf({ verify: [] });
  const verified = await verifyAt(context, EMPTY_BUILDER, oid("a"));
  expect(verified).toMatchObject({ kind: "verified", outcome: "passed" });
  expect(written()).toEqual([]);
});

test("verify runs at exactly the given commit, names the failing tests, and leaves a clean clone", async () => {
  const { context, written } = builderOf();
  const red = await verifyAt(context, EMPTY_BUILDER, oid("a b"));
  expect(red).toMatchObject({ kind: "verified", outcome: "failed", failing: ["a", "b"] });
  const green = await verifyAt(context, EMPTY_BUILDER, oid("green"));
  expect(green).toMatchObject({ kind: "verified", outcome: "passed", failing: undefined });
  expect(written().map((record) => record.kind)).toEqual(["verify.result", "verify.result"]);
  const clone = await context.clone();
  expect(await clone.isDirty()).toEqual({ ok: true, value: false });
});

test("the same tree is not verified twice, even after a restart, unless the command changes", async () => {
  const { context, fold } = builderOf();
  const first = await verifyAt(context, fold(), oid("a"));
  const before = runs();
  expect(await verifyAt(context, fold(), oid("a"))).toEqual(first);
  expect(runs()).toBe(before);
  const other = { ...context.session, verify: [[process.execPath, "check.cjs", "--all"]] };
  await verifyAt({ ...context, session: other }, fold(), oid("green"));
  expect(runs()).toBe(before + 1);
});

test.each([
  ["green", ["a"], "yes"],
  ["a", ["a b"], "yes"],
  ["a b", ["a"], "no"],
  ["a", ["green"], "no"],
  ["a b", ["green", "a b"], "yes"],
  ["broken", ["a"], "no"],
])("whether %s is acceptable after %j: %s", async (after, references, kind) => {
  const { context, fold } = builderOf();
  const verdict = await isAcceptable(context, fold(), {
    at: oid(after),
    references: references.map(oid),
    isLast: false,
  });
  expect(verdict.kind).toBe(kind);
});

test.each([
  [{ kind: "judged" }, "no"],
  [{ kind: "accepted" }, "yes"],
] as const)(
  "whether red without names is acceptable after red without names, with the base %j: %s",
  async (baseOutcome, kind) => {
    const { context, fold } = builderOf();
    const judged = { ...fold(), baseOutcome };
    const verdict = await isAcceptable(context, judged, {
      at: oid("broken"),
      references: [oid("a"), oid("broken")],
      isLast: false,
    });
    expect(verdict.kind).toBe(kind);
  },
);

test.each([
  ["excuses nothing any more once a milestone ended green", {}, "no"],
  // The rule of sessions from before version 3.
  ["excuses the same for ever if red bases were no question", undefined, "yes"],
] as const)("what was red at the base %s", async (_, redBase, kind) => {
  const { context, fold } = builderOf({ base: oid("a b"), policy: { ...DEFAULT_POLICY, redBase } });
  await verifyAt(context, fold(), oid("green"));
  const references = [oid("a b"), oid("green")];
  const wanted = { at: oid("a"), references, isLast: false };
  // Nothing has ended.
  expect(await isBaseExcuse(context, fold())).toBe(true);
  const milestones = [{ name: "One", start: oid("a b"), end: oid("green") }];
  const judged = { ...fold(), milestones };
  expect(await isBaseExcuse(context, judged)).toBe(kind === "yes");
  expect((await isAcceptable(context, judged, wanted)).kind).toBe(kind);
});

test("a refusal contains the end of the output for the next prompt", async () => {
  const { context, fold } = builderOf();
  const verdict = await isAcceptable(context, fold(), {
    at: oid("a b"),
    references: [oid("green")],
    isLast: false,
  });
  expect(verdict.kind === "no" && verdict.red.text).toContain("not ok 2 - b");
  expect(outputTail(context, undefined)).toBe("");
});

test("names beyond the part of the output that a prompt contains are compared, too", async () => {
  const noise =
    "console.log('not ok 1 - early'); console.log('x\\n'.repeat(20000)); process.exit(1)";
  const { context, written } = builderOf({ verify: [[process.execPath, "-e", noise]] });
  await verifyAt(context, EMPTY_BUILDER, oid("green"));
  expect(written()).toHaveLength(1);
  expect(written()[0]).toMatchObject({ outcome: "failed", failing: ["early"] });
});

test("a setup that fails is a red verify that names no test", async () => {
  const setup = [
    [process.execPath, "-e", "console.log('not ok 1 - of the setup'); process.exit(1)"],
  ];
  const { context } = builderOf({ setup });
  const verified = await verifyAt(context, EMPTY_BUILDER, oid("green"));
  expect(verified).toMatchObject({
    outcome: "failed",
    failing: undefined,
    output: "setup-verify-1",
  });
  expect(outputTail(context, "setup-verify-1")).toContain("of the setup");
});

test("installed files stay for later runs of verify, and out of the commits, whether ignored by the project or not", async () => {
  const install = `require("node:fs").mkdirSync("node_modules [1]/a", { recursive: true });
    require("node:fs").writeFileSync("node_modules [1]/a/index.js", "")`;
  const setup = [[process.execPath, "-e", install]];
  const verify = [[process.execPath, "-e", `require("node:fs").readdirSync("node_modules [1]/a")`]];
  const { context } = builderOf({ setup, verify });
  for (const name of ["green", "a"]) {
    expect(await verifyAt(context, EMPTY_BUILDER, oid(name))).toMatchObject({ outcome: "passed" });
  }
  const clone = await context.clone();
  expect(await clone.isDirty()).toEqual({ ok: true, value: false });
  expect(await clone.commitAll("Everything")).toEqual({ ok: true, value: undefined });
});

test("a missing verify command is red, and the next prompt explains it", async () => {
  const { context, fold } = builderOf({ verify: [["no-such-program-of-ours"]] });
  const verified = await verifyAt(context, EMPTY_BUILDER, oid("green"));
  expect(verified).toMatchObject({ outcome: "failed", failing: undefined });
  const verdict = await isAcceptable(context, fold(), {
    at: oid("green"),
    references: [],
    isLast: false,
  });
  expect(verdict.kind === "no" && verdict.red.text).toContain(
    "no-such-program-of-ours could not be started: ENOENT",
  );
});

test("a verify command that hangs is killed, and the next prompt gives the time limit", async () => {
  const hangs = [[process.execPath, "-e", "setInterval(() => {}, 1000)"]];
  const { context, fold } = builderOf({ verify: hangs, verifyTimeoutMs: 200 });
  const verdict = await isAcceptable(context, fold(), {
    at: oid("green"),
    references: [],
    isLast: false,
  });
  expect(verdict.kind === "no" && verdict.red.text).toContain("did not end within");
});

test("a stop during verify records nothing", async () => {
  const stop = new AbortController();
  const { context, written } = builderOf({}, stop);
  stop.abort();
  const verified = await verifyAt(context, EMPTY_BUILDER, oid("green"));
  expect(verified).toEqual({ kind: "stopped" });
  expect(written()).toEqual([]);
});

test("in a session that an older wisp began names are read, and compared, as they were then", async () => {
  using began = sessionRig();
  const { context, records } = began.role("builder", () => PASSED, { session: { verify: VERIFY } });
  const clone = await context.clone();
  await clone.syncTo();
  const text = CHECK.replace('" - " + name', '" - " + name + " # time=1.50ms"');
  put(clone.directory, "check.cjs", text);
  put(clone.directory, "failing.txt", "a\na\n");
  commit(clone.directory, "red");
  const head = await clone.head();
  const red = head.ok ? head.value : "";
  const by = () => verifyAt(context, EMPTY_BUILDER, red, { ...REFERENCE, isJudged: true });
  expect(await by()).toMatchObject({ failing: ["a"], tally: { rules: 2, times: [2] } });
  context.journal.append({
    kind: "verify.result",
    time: context.journal.time(),
    at: red,
    tree: red,
    command: "0123456789ab",
    outcome: "failed",
    failing: ["a"],
  });
  expect(await by()).toMatchObject({ failing: ["a"], tally: undefined });
  expect(records().at(-1)).not.toHaveProperty("tally");
});
