import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { END_RULES } from "../../../src/evidence/rules/all-rules.ts";
import { checkTests } from "../../../src/evidence/integrity/check-tests.ts";
import { checkBaseTests } from "../../../src/evidence/base-tests/base-tests.ts";
import { judgeByBaseTests } from "../../../src/evidence/base-tests/judge-base-tests.ts";
import type { Oid } from "../../../src/base/oid.ts";
import type { Finding } from "../../../src/fs-protocol/records/finding.ts";
import { commit, put } from "../../rig/in-process-session.ts";
import { SUMMING } from "../integrity/summing.ts";
import { sessionRig, type SessionRig } from "../../agents/role-rig.ts";

const { verify, files, right, broken, weakTests } = SUMMING;
const SUMS = "test/sum.test.js";
type Change = Readonly<Record<string, string | undefined>>;

function summing(request?: string, own: Readonly<Record<string, string>> = {}): SessionRig {
  return sessionRig({
    verify,
    files: { ...files, ...own },
    ...(request === undefined ? {} : { request }),
  });
}

/** A tester at the end of a session with these changes. */
async function ended(rig: SessionRig, change: Change) {
  const clone = await rig.role("builder").context.clone();
  await clone.syncTo();
  const publish = async (changed: Change): Promise<Oid> => {
    for (const [path, text] of Object.entries(changed)) {
      if (text === undefined) rmSync(join(clone.directory, path));
      else put(clone.directory, path, text);
    }
    commit(clone.directory, "Work");
    const head = await clone.head();
    if (!head.ok) throw new Error("there is no HEAD");
    await clone.publish(head.value);
    return head.value;
  };
  const end = await publish(change);
  const { context, recordsOf } = rig.role("tester");
  const look = async (at = end, unit = "final:1") => {
    const seen = await checkBaseTests(context, await rig.at.state(), { unit, at });
    if (seen.kind !== "checked") throw new Error(JSON.stringify(seen));
    const { kind, failed: baseTests, listed } = seen;
    const found = { session: context.session, at, baseTests };
    return { kind, bugs: END_RULES.flatMap((rule) => rule.find(found)), listed };
  };
  const judge = async (item: Finding | undefined, at: Oid) => {
    if (item === undefined) throw new Error("there is no bug");
    const fix = { item, unit: `verify:${item.id}`, at };
    const judged = await judgeByBaseTests(context, await rig.at.state(), fix);
    return judged.kind === "done" ? judged.value.kind : judged.kind;
  };
  const runs = () => recordsOf("command.result").filter(({ tests }) => tests !== undefined).length;
  return { look, judge, publish, runs, end };
}

const ATTACK = { "sum.js": broken, [SUMS]: weakTests };

test("a failure that a weakened test now misses is a bug: two more runs confirm it, and their results are reused", async () => {
  using rig = summing();
  const { look, runs } = await ended(rig, ATTACK);
  const { bugs, listed } = await look();
  expect(bugs).toMatchObject([
    {
      level: "blocking",
      reviewer: "tester",
      file: SUMS,
      computed: { of: "base-tests", names: ["adds numbers"] },
    },
  ]);
  expect(listed).toEqual([{ what: "bug", file: SUMS, names: ["adds numbers"] }]);
  expect(runs()).toBe(3);
  // Another pass at the same HEAD.
  expect(await look(undefined, "final:2")).toEqual({ kind: "checked", bugs, listed });
  expect(runs()).toBe(3);
});

test("what the reviewer ran of the same tests on the same tree is not run again", async () => {
  using rig = summing();
  const { look, runs, end } = await ended(rig, ATTACK);
  const reviewer = rig.role("reviewer");
  const range = { unit: "review:One:x", start: rig.session.base, end, m: "One", tasks: [] };
  const seen = await checkTests(reviewer.context, await rig.at.state(), range);
  expect(seen.kind === "checked" && seen.findings).toHaveLength(1);
  // One run, and two that confirm it.
  expect(reviewer.recordsOf("command.result")).toHaveLength(3);
  const { bugs } = await look();
  expect(bugs).toHaveLength(1);
  expect(runs()).toBe(0);
});

test("nothing runs if the session did not change tests", async () => {
  using rig = summing();
  const { look, runs } = await ended(rig, { "parse.js": "// parses\n", "test/parse.test.js": "" });
  expect(await look()).toEqual({ kind: "checked", bugs: [], listed: [] });
  expect(runs()).toBe(0);
});

test("a test that fails by chance is not a bug", async () => {
  using rig = summing(undefined, {
    "test/chance.test.js": `const mark = require("node:path").resolve("../../../chance");
const isFirst = !require("node:fs").existsSync(mark);
test("by chance", () => {
  // Red once, in the first run that has it as it was.
  if (!require("node:fs").existsSync("changed") || !isFirst) return;
  require("node:fs").writeFileSync(mark, "");
  throw new Error("chance");
});
`,
  });
  const { look, runs } = await ended(rig, {
    "test/chance.test.js": 'test("by chance", () => {});\n',
    changed: "",
  });
  expect((await look()).bugs).toEqual([]);
  expect(runs()).toBe(2);
});

test("a failure of the current tests is only the bug about verify, not a second one", async () => {
  using rig = summing();
  const { look } = await ended(rig, { "sum.js": broken, [SUMS]: `${files[SUMS]}// more\n` });
  expect(await look()).toEqual({ kind: "checked", bugs: [], listed: [] });
});

test("if verify is red without naming tests, the result of the base tests is listed as unknown", async () => {
  using rig = summing(undefined, { "run.cjs": `${files["run.cjs"]}process.exitCode = 1;\n` });
  const { look } = await ended(rig, ATTACK);
  const { bugs, listed } = await look();
  expect(bugs).toEqual([]);
  expect(listed).toMatchObject([{ what: "unknown" }]);
});

test("an updated request that asks for the change excuses the failure, with the passage that does", async () => {
  using rig = summing("# Sums\n\nKeep them. Change sums to differences.\n");
  const { look } = await ended(rig, ATTACK);
  expect(await look()).toEqual({
    kind: "checked",
    bugs: [],
    listed: [
      { what: "asked", file: SUMS, names: ["adds numbers"], why: "Change sums to differences." },
    ],
  });
});

test("a claim that nothing needs fixing is judged by a new run, and so is each fix", async () => {
  using rig = summing();
  const { look, judge, publish, runs, end } = await ended(rig, ATTACK);
  const [bug] = (await look()).bugs;
  const before = runs();
  expect(await judge(bug, end)).toBe("reopened");
  expect(runs()).toBe(before + 3);
  expect(await judge(bug, await publish({ "sum.js": `${broken}// still\n` }))).toBe("reopened");
  expect(await judge(bug, await publish({ "sum.js": right }))).toBe("closed");
});

test("tests that can no longer be loaded after a fix do not close the bug about them", async () => {
  using rig = summing();
  const { look, judge, publish } = await ended(rig, ATTACK);
  const [bug] = (await look()).bugs;
  const moved = { "sum.js": undefined, "lib/sum.js": broken };
  const tests = weakTests.replace("../sum.js", "../lib/sum.js");
  expect(await judge(bug, await publish({ ...moved, [SUMS]: tests }))).toBe("reopened");
});
