import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { SessionJson } from "../../../src/fs-protocol/home/session-json.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../../src/session/state/fold-builder.ts";
import { isAcceptable, verifyAt } from "../../../src/evidence/verify/verify-at.ts";
import { aloneHere } from "../../../src/evidence/look/alone-here.ts";
import { commandKey } from "../../../src/evidence/verify/command-key.ts";
import { need } from "../../../src/base/fatal.ts";
import type { Oid } from "../../../src/base/oid.ts";
import { commit, put } from "../../rig/in-process-session.ts";
import { eventually } from "../../rig/patience.ts";
import { sessionRig, type RoleRig } from "../../agents/role-rig.ts";
import { PASSED } from "../../agents/turns.ts";

/** A suite whose n-th run, from 1, does what the n-th of these statements does; the last one is repeated. */
function suite(...runs: readonly string[]): string[][] {
  const script = `
const fs = require("node:fs");
const marks = require("node:path").resolve("../../..") + ".runs";
fs.appendFileSync(marks, "x");
const n = fs.statSync(marks).size;
const runs = [${runs.map((run) => `() => { ${run} }`).join(", ")}];
runs[Math.min(n, runs.length) - 1]();
`;
  return [[process.execPath, "-e", script]];
}

const RED = (name: string) => `console.log("not ok 1 - ${name}"); process.exitCode = 1;`;
const KILLED = `process.kill(process.pid, "SIGKILL");`;
const GREEN = "";

function builderOf(verify: string[][], session: Partial<SessionJson> = {}) {
  const rig = sessionRig();
  const role = rig.role("builder", () => PASSED, { session: { verify, ...session } });
  const fold = (): BuilderFold =>
    role
      .records()
      .reduce((state, record) => foldBuilder(state, record, rig.session.policy), EMPTY_BUILDER);
  const at = rig.session.base;
  const runs = () =>
    readFileSync(`${rig.session.state}.runs`, { encoding: "utf8", flag: "a+" }).length;
  return { ...role, rig, fold, at, runs, [Symbol.dispose]: () => rig[Symbol.dispose]() };
}

test("a test that fails once and passes in the next run is no licence: it is on record as split", async () => {
  using builder = builderOf(suite(RED("waits"), GREEN));
  const verified = await verifyAt(builder.context, EMPTY_BUILDER, builder.at);
  expect(verified).toMatchObject({ outcome: "passed" });
  expect(builder.recordsOf("verify.result")).toMatchObject([
    { outcome: "passed", looks: 2, split: ["waits"] },
  ]);
  expect(builder.recordsOf("look").map(({ n, verdict, alone }) => [n, verdict, alone])).toEqual([
    [1, "red", undefined],
    [2, "green", "yes"],
  ]);
  expect(builder.recordsOf("note")[0]?.text).toMatch(/^unsteady at .*: waits$/u);
});

test("only what is red in each of three runs excuses later failures", async () => {
  using builder = builderOf(suite(RED("a"), `${RED("a")} ${RED("b")}`, RED("a")));
  const verified = await verifyAt(builder.context, EMPTY_BUILDER, builder.at);
  expect(verified).toMatchObject({ outcome: "failed", failing: ["a"] });
  expect(builder.recordsOf("verify.result")).toMatchObject([{ looks: 3, split: ["b"] }]);
});

test("an attempt that is not the last gets a red at once; for the last, it is confirmed first", async () => {
  const judge = async (isLast: boolean) => {
    using builder = builderOf(suite(RED("waits"), GREEN));
    const judged = { at: builder.at, references: [], isLast };
    const verdict = await isAcceptable(builder.context, EMPTY_BUILDER, judged);
    return [verdict.kind, builder.runs()];
  };
  expect(await judge(false)).toEqual(["no", 1]);
  expect(await judge(true)).toEqual(["yes", 2]);
});

test("a suite that something outside kills is run again, and counts by how it ends then", async () => {
  using builder = builderOf(suite(KILLED, GREEN));
  const verdict = await isAcceptable(builder.context, EMPTY_BUILDER, {
    at: builder.at,
    references: [],
    isLast: false,
  });
  expect(verdict.kind).toBe("yes");
  expect(builder.recordsOf("look").map(({ verdict, cause }) => [verdict, cause])).toEqual([
    ["unknown", "signal"],
    ["green", undefined],
  ]);
});

test("a suite that is killed in all of three runs is kept nowhere, and the builder is told why", async () => {
  using builder = builderOf(suite(GREEN, KILLED));
  await verifyAt(builder.context, EMPTY_BUILDER, builder.at);
  const made = await commitIn(builder);
  const judged = { at: made, references: [builder.at], isLast: false };
  const verdict = await isAcceptable(builder.context, builder.fold(), judged);
  expect(verdict.kind === "no" && verdict.red.text).toContain("was ended by SIGKILL");
  expect(builder.runs()).toBe(4);
  expect(builder.recordsOf("verify.result")).toHaveLength(1);
});

test("a suite that was killed before the commit, too, is a question to a person", async () => {
  using builder = builderOf(suite(KILLED));
  const made = await commitIn(builder);
  const judged = { at: made, references: [builder.at], isLast: false };
  const verdict = await isAcceptable(builder.context, EMPTY_BUILDER, judged);
  expect(verdict).toMatchObject({ kind: "unknown" });
  expect(builder.recordsOf("verify.result")).toEqual([]);
});

test("a setup that fails with the inputs it had before is a question to a person, not the commit's fault", async () => {
  using builder = builderOf(suite(GREEN), { setup: [["false"]] });
  const made = await commitIn(builder);
  const { tree, setup } = await builder.context.trees.factsAt(builder.at);
  const command = commandKey(builder.context.session.verify);
  const green = { at: builder.at, tree, command, setup, outcome: "passed" } as const;
  const record = { kind: "verify.result", time: builder.context.journal.time(), ...green } as const;
  const fold = foldBuilder(EMPTY_BUILDER, record, builder.rig.session.policy);
  const judged = { at: made, references: [builder.at], isLast: false };
  const verdict = await isAcceptable(builder.context, fold, judged);
  expect(verdict).toMatchObject({ kind: "unknown", reason: "false exited with 1" });
});

test("repeated looks of two roles never run at the same time", async () => {
  using builder = builderOf(suite(GREEN));
  const other = builder.rig.role("tester", () => PASSED, { session: builder.context.session });
  let running = 0;
  const most: number[] = [];
  const work = async () => {
    most.push(++running);
    // Long enough for the other one to ask for the lock several times.
    await eventually(() => expect(waits()).toBeGreaterThan(1));
    running--;
  };
  const waits = () => [builder, other].flatMap(({ clock }) => clock.sleptMs).length;
  const both = [builder.context, other.context].map((context) =>
    aloneHere(context, undefined, () => work()),
  );
  await Promise.all(both);
  expect(most).toEqual([1, 1]);
});

test("who is asked to stop while it waits does nothing", async () => {
  using builder = builderOf(suite(GREEN));
  const stop = new AbortController();
  const other = builder.rig.role("tester", () => PASSED, { stop });
  await aloneHere(builder.context, undefined, async () => {
    const waiting = aloneHere(other.context, undefined, () => Promise.resolve("ran"));
    await eventually(() => expect(other.clock.sleptMs.length).toBeGreaterThan(0));
    stop.abort();
    expect(await waiting).toBeUndefined();
  });
});

/** A commit on top of the base, in the builder's clone. */
async function commitIn({ context }: Pick<RoleRig<"builder">, "context">): Promise<Oid> {
  const clone = await context.clone();
  need(await clone.syncTo());
  put(clone.directory, "work.txt", "work\n");
  commit(clone.directory, "Work");
  return need(await clone.head());
}
