import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { breaksOldTests } from "../../../src/evidence/integrity/breaks-old-tests.ts";
import type { Oid } from "../../../src/base/oid.ts";
import type { Finding } from "../../../src/fs-protocol/records/finding.ts";
import { commit, put } from "../../rig/in-process-session.ts";
import { builder, finding } from "../../rig/records.ts";
import { SUMMING } from "./summing.ts";
import { sessionRig, write, type SessionRig } from "../../agents/role-rig.ts";

const { verify, files, right, broken, bentTests, tests } = SUMMING;
const SUMS = "test/sum.test.js";
type Change = Readonly<Record<string, string | undefined>>;

interface Fixing {
  /** The milestone's change, before the fix. */
  readonly built?: Change;
  readonly findings?: (base: Oid, built: Oid) => readonly Finding[];
  readonly tasks?: readonly string[];
}

/** Publishes a milestone, commits a fix, and runs the old tests on it. */
async function fixed(rig: SessionRig, fix: Change, more: Fixing = {}) {
  const { built = { "parse.js": "// parses\n" }, findings, tasks = ["Add a parser"] } = more;
  const { context, recordsOf } = rig.role("builder");
  const clone = await context.clone();
  await clone.syncTo();
  const made = async (change: Change): Promise<Oid> => {
    for (const [path, text] of Object.entries(change)) {
      if (text === undefined) rmSync(join(clone.directory, path));
      else put(clone.directory, path, text);
    }
    commit(clone.directory, "Work");
    const head = await clone.head();
    return head.ok ? head.value : "";
  };
  const onto = await made(built);
  await clone.publish(onto);
  write(rig.at, {
    builder: [
      builder.adopt({ One: tasks }),
      builder.build({
        m: "One",
        outcome: "milestone",
        commits: [onto],
        milestones: [{ name: "One", start: rig.session.base, end: onto }],
      }),
    ],
  });
  const head = await made(fix);
  const items = findings?.(rig.session.base, onto) ?? [finding("COR-00000a", { file: "parse.js" })];
  const made1 = { unit: "fix:COR-00000a:1", findings: items, m: "One", onto, head };
  const look = async () => {
    const seen = await breaksOldTests(context, await rig.at.state(), made1);
    if (seen.kind !== "seen") throw new Error("it was stopped");
    return seen.broken;
  };
  const runs = () => recordsOf("command.result").length;
  return { broken: await look(), look, runs };
}

const BENDS = { "sum.js": broken, [SUMS]: bentTests };

test("a fix that changes a test to match broken code is refused with the name of the test", async () => {
  using rig = sessionRig({ verify, files });
  const { broken: why, look, runs } = await fixed(rig, BENDS);
  expect(why).toContain("test/sum.test.js: adds numbers");
  expect(runs()).toBe(3);
  // After an interruption.
  expect(await look()).toBe(why);
  expect(runs()).toBe(3);
});

test("no old test runs for a fix that changes no tests, or only adds some", async () => {
  using rig = sessionRig({ verify, files });
  const { broken: why, runs } = await fixed(rig, {
    "sum.js": `${right}// well\n`,
    "test/new.test.js": "",
  });
  expect([why, runs()]).toEqual([undefined, 0]);
});

test("a fix that changes tests is accepted if their old versions still pass", async () => {
  using rig = sessionRig({ verify, files });
  const { broken: why, runs } = await fixed(rig, { [SUMS]: `${tests}// more\n` });
  expect([why, runs()]).toEqual([undefined, 1]);
});

const ABOUT = { issue: "Sums are to be differences: change the test of sums.", file: "sum.js" };

test("a change of tests is accepted if a finding, or a task of the milestone, asks for it", async () => {
  using rig = sessionRig({ verify, files });
  const asks = await fixed(rig, BENDS, { findings: () => [finding("COR-00000a", ABOUT)] });
  expect(asks.broken).toBeUndefined();
  using other = sessionRig({ verify, files });
  const planned = await fixed(other, BENDS, { tasks: ["Change sums to differences"] });
  expect(planned.broken).toBeUndefined();
});

test("a computed finding is no reason to change tests, whatever it names", async () => {
  using rig = sessionRig({ verify, files });
  const computed = (base: Oid, end: Oid) => ({ of: "verify", start: base, end, m: "" }) as const;
  const { broken: why } = await fixed(rig, BENDS, {
    findings: (base, end) => [finding("BUG-00000a", { ...ABOUT, computed: computed(base, end) })],
  });
  expect(why).toContain("adds numbers");
});

test("a fix that restores a bent test need not pass the bent version", async () => {
  using rig = sessionRig({ verify, files });
  const { broken: why } = await fixed(
    rig,
    { "sum.js": right, [SUMS]: `${tests}test("adds more", () => {});\n` },
    {
      built: BENDS,
      findings: (start, end) => [
        finding("TES-00000a", { file: SUMS, computed: { of: "old", start, end, m: "One" } }),
      ],
    },
  );
  expect(why).toBeUndefined();
});

test("a fix must still pass a test that was added after the bent one's old version", async () => {
  using rig = sessionRig({ verify, files });
  const later = `${bentTests}test("of later", () => { assert.equal(sum(5, 5), 0); });\n`;
  const { broken: why } = await fixed(
    rig,
    { "sum.js": right, [SUMS]: tests },
    {
      built: { "sum.js": broken, [SUMS]: later },
      findings: (start, end) => [
        finding("TES-00000a", { file: SUMS, computed: { of: "old", start, end, m: "One" } }),
      ],
    },
  );
  expect(why).toContain("of later");
  expect(why).not.toContain("adds numbers");
});

test("tests that the tester held back for the fix are part of it", async () => {
  using rig = sessionRig({ verify, files });
  const bent = { "sum.js": broken, [SUMS]: bentTests };
  const clone = await rig.role("tester").context.clone();
  await clone.syncTo();
  put(clone.directory, SUMS, bentTests);
  const saved = await clone.rescueAndReset();
  const held = saved.ok ? saved.value.rescue : undefined;
  expect(held).toBeDefined();
  const item = finding("BUG-00000a", { file: "parse.js", tests: held });
  expect((await fixed(rig, bent, { findings: () => [item] })).broken).toBeUndefined();
});

test("old tests that cannot be loaded with the fix do not count", async () => {
  using rig = sessionRig({ verify, files });
  const { broken: why } = await fixed(rig, {
    "sum.js": undefined,
    "lib/sum.js": right,
    [SUMS]: tests.replace("../sum.js", "../lib/sum.js"),
  });
  expect(why).toBeUndefined();
});

test("a fix is not blamed for tests that were red before it", async () => {
  using rig = sessionRig({ verify, files });
  const { broken: why } = await fixed(rig, { [SUMS]: bentTests }, { built: { "sum.js": broken } });
  expect(why).toBeUndefined();
});
