import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { verifyAt } from "../../../src/evidence/verify/verify-at.ts";
import { acquireTree } from "../../../src/evidence/verify-tree/acquire-tree.ts";
import { treeRunId } from "../../../src/work/role-context.ts";
import { present } from "../../../src/base/assert.ts";
import { commandKey } from "../../../src/evidence/verify/command-key.ts";
import { EMPTY_BUILDER, verifyKey } from "../../../src/session/state/builder-state.ts";
import { eventually } from "../../rig/patience.ts";
import { put } from "../../rig/in-process-session.ts";
import { TreeRig } from "./tree-rig.ts";

/** Records in which tree it runs, and ends once it is allowed to. */
const WAITS = [
  [
    process.execPath,
    "-e",
    `const fs = require("fs"); const state = "../../../";
     const number = process.cwd().split("/").at(-2);
     fs.writeFileSync(state + "runs-in-" + number + "-" + process.pid, "");
     setInterval(() => { if (fs.existsSync(state + "go") || !fs.existsSync(state)) process.exit(0); }, 20);`,
  ],
];

function runsIn(rig: TreeRig): readonly string[] {
  return readdirSync(rig.rig.session.state)
    .filter((name) => name.startsWith("runs-in-"))
    .map((name) => name.split("-")[2] ?? "")
    .sort();
}

test("two users at the same time get a tree each, and a third waits", async () => {
  using rig = new TreeRig(undefined, { verify: WAITS });
  const at = await rig.commit({ "a.txt": "a\n" });
  const roles = [0, 1, 2].map(() => rig.role("builder"));
  const ends = roles.map(({ context }) => verifyAt(context, EMPTY_BUILDER, at));
  await eventually(() => expect(runsIn(rig)).toEqual(["1", "2"]));
  const slept = () => roles.flatMap(({ clock }) => clock.sleptMs).length;
  await eventually(() => expect(slept()).toBeGreaterThan(2));
  expect(runsIn(rig)).toEqual(["1", "2"]);
  put(rig.rig.session.state, "go", "");
  const outcomes = (await Promise.all(ends)).map((end) => end.kind === "verified" && end.outcome);
  expect(outcomes).toEqual(["passed", "passed", "passed"]);
  expect(runsIn(rig)).toHaveLength(3);
});

test("waiting for a tree ends when the role is asked to stop", async () => {
  using rig = new TreeRig(undefined, { verify: WAITS });
  const at = await rig.commit({ "a.txt": "a\n" });
  const others = [0, 1].map(() => verifyAt(rig.role("builder").context, EMPTY_BUILDER, at));
  await eventually(() => expect(runsIn(rig)).toEqual(["1", "2"]));
  const stop = new AbortController();
  const waiting = verifyAt(rig.role("builder", stop).context, EMPTY_BUILDER, at);
  stop.abort();
  expect(await waiting).toEqual({ kind: "stopped" });
  put(rig.rig.session.state, "go", "");
  await Promise.all(others);
});

test("processes that a run left behind are ended before the next run in its tree", async () => {
  const leaves = `const child = require("child_process").spawn(process.execPath,
      ["-e", "setInterval(() => require('fs').writeFileSync('planted', ''), 5)"],
      { detached: true, stdio: "ignore" }); child.unref();
    process.exit(require("fs").existsSync("planted") ? 0 : 1);`;
  using rig = new TreeRig(undefined, { verify: [[process.execPath, "-e", leaves]] });
  const first = await rig.commit({ "a.txt": "a\n" });
  const second = await rig.commit({ "a.txt": "b\n" });
  expect(await rig.verify(first)).toMatchObject({ outcome: "failed" });
  expect(await rig.verify(second)).toMatchObject({ outcome: "failed" });
});

test("processes are searched for in a tree only if its last user did not release it", async () => {
  using rig = new TreeRig(undefined, {});
  const { context } = rig.role("builder");
  const searched: string[] = [];
  const sweep = async (...runIds: readonly string[]) => searched.push(...runIds);
  const ports = { ...context.ports, processes: { ...context.ports.processes, sweep } };
  const use = async () => {
    const { place, lease } = present(await acquireTree({ ...context, ports }), "a tree is free");
    await lease.release();
    return place;
  };
  await use();
  const { lock, number } = await use();
  expect(searched).toEqual([]);
  put(dirname(lock), `${basename(lock)}.json`, "what a killed user leaves");
  await use();
  expect(searched).toContain(treeRunId(context.home, "tester", number));
});

test("a commit that exists only in the role's clone is verified, and does not reach the hub", async () => {
  using rig = new TreeRig(undefined, {
    verify: [[process.execPath, "-e", "process.exit(require('fs').existsSync('a.txt') ? 0 : 1)"]],
  });
  const at = await rig.commit({ "a.txt": "a\n" });
  expect(await rig.verify(at)).toMatchObject({ outcome: "passed" });
  expect(existsSync(join(rig.tree, "a.txt"))).toBe(true);
  const inHub = () => rig.rig.at.git("cat-file", "-t", at);
  expect(inHub).toThrow();
});

test("files whose line endings git would normalise still match the commit", async () => {
  using rig = new TreeRig(undefined, { verify: [[process.execPath, "-e", ""]] });
  await rig.commit({ "a.txt": "one\r\ntwo\r\n" });
  const at = await rig.commit({ ".gitattributes": "*.txt text\n" });
  const { outcome, printed } = await rig.verify(at);
  expect([outcome, printed]).toEqual(["passed", expect.stringContaining(rig.treeOf(at))]);
});

test("a result without a setup key, as in older sessions, is not reused", async () => {
  using rig = new TreeRig(undefined, { verify: [[process.execPath, "-e", "process.exit(1)"]] });
  const at = await rig.commit({ "a.txt": "a\n" });
  const tree = rig.treeOf(at);
  const known = { outcome: "passed", failing: undefined, output: undefined } as const;
  const key = verifyKey(commandKey(rig.builder.context.session.verify), tree);
  const fold = { ...EMPTY_BUILDER, verified: new Map([[key, known]]) };
  const verified = await verifyAt(rig.builder.context, fold, at);
  expect(verified).toMatchObject({ outcome: "failed" });
  expect(readFileSync(join(rig.rig.at.home.logs, "builder.log"), "utf8")).toContain(" setup=");
});
