import { expect, test } from "vitest";
import { NAMING_RULES } from "../../../src/fs-protocol/records/tally.ts";
import { commandKey } from "../../../src/evidence/verify/command-key.ts";
import { checkTests } from "../../../src/evidence/integrity/check-tests.ts";
import { reviewerMain } from "../../../src/agents/reviewer/main.ts";
import type { Oid } from "../../../src/base/oid.ts";
import type { Finding } from "../../../src/fs-protocol/records/finding.ts";
import { verifyStep } from "../../../src/session/steps/verify-step.ts";
import { builder, finding, reviewer, timeAt } from "../../rig/records.ts";
import { publishChange, type Change } from "../../agents/publish-change.ts";
import { sessionRig, write, type SessionRig } from "../../agents/role-rig.ts";
import { PASSED } from "../../agents/turns.ts";

/**
 * Findings that wisp computed, and what closes them: with real git, real runs, and an engine that accepts everything.
 */

const RUNNER = `
const fs = require("node:fs");
let count = 0;
global.test = (name, body) => {
  count += 1;
  try { body(); } catch { process.exitCode = 1; console.log("not ok " + count + " - " + name); }
};
test.skip = () => undefined;
global.assert = require("node:assert");
for (const name of fs.readdirSync("test").sort()) require("./test/" + name);
`;
const VERIFY = [[process.execPath, "run.cjs"]];
const SUM = "exports.sum = (a, b) => a + b;\n";
const TESTS = `const { sum } = require("../sum.js");
test("adds", () => { assert.equal(sum(1, 2), 3); assert.equal(sum(2, 2), 4); });
test("takes zero", () => { assert.equal(sum(0, 0), 0); assert.equal(sum(0, 1), 1); });
`;
const BENT = {
  "sum.js": SUM.replace("+", "-"),
  "test/sum.test.js": TESTS.replace("sum(1, 2), 3", "sum(1, 2), -1")
    .replace("sum(2, 2), 4", "sum(2, 2), 0")
    .replace("sum(0, 1), 1", "sum(0, 1), -1"),
};
const WITHOUT = { "test/sum.test.js": TESTS.replace(/test\("takes.*\n/, "") };
const MORE = { "sum.js": `${SUM}// more\n` };

interface Judged {
  readonly verdict: string;
  readonly reason: string;
  /** Number of the engine's turns. */
  readonly asked: number;
  readonly findings: readonly Finding[];
}

interface JudgedOptions {
  readonly later?: Change;
  readonly own?: Finding;
  /** A test that fails from the start on, and where it is: verify is red by it everywhere. */
  readonly known?: { readonly name: string; readonly file: Change };
}

/** Runs a milestone that makes `change`, wisp's checks, a fix, and the reviewer's verdict. */
async function judged(
  rig: SessionRig,
  change: Change,
  fix: Change | "nochange",
  { later = {}, own, known }: JudgedOptions = {},
): Promise<Judged> {
  const clone = await rig.role("builder").context.clone();
  await clone.syncTo();
  const publish = (files: Change, message: string) => publishChange(clone, files, message);
  const green = async (at: Oid) => {
    const tree = await clone.treeOf(at);
    const command = commandKey(VERIFY);
    const result =
      known === undefined
        ? { outcome: "passed" as const }
        : { outcome: "failed" as const, failing: [known.name], tally: { rules: NAMING_RULES } };
    write(rig.at, {
      builder: [
        {
          kind: "verify.result",
          time: timeAt(0),
          at,
          tree: tree.ok ? tree.value : "",
          command,
          ...result,
        },
      ],
    });
  };
  const start = await publish(
    { "run.cjs": RUNNER, "sum.js": SUM, "test/sum.test.js": TESTS, ...known?.file },
    "Start",
  );
  const end = await publish({ ...MORE, ...change }, "Work");
  await green(start);
  await green(end);
  const milestones = [{ name: "One", start, end }];
  write(rig.at, {
    builder: [
      builder.adopt({ One: ["Add a parser"] }),
      builder.build({ m: "One", outcome: "milestone", milestones }),
    ],
  });
  const role = rig.role("reviewer", () => PASSED);
  const context = { ...role.context, session: { ...rig.session, verify: VERIFY } };
  const range = { unit: `review:One:${end}`, start, end, m: "One", tasks: ["Add a parser"] };
  const looked = await checkTests(context, await rig.at.state(), range);
  const findings = looked.kind === "checked" ? looked.findings : [];
  const item = own ?? findings[0];
  if (item === undefined) throw new Error("nothing was found");
  const recorded = own === undefined ? [...findings] : [...findings, own];
  write(rig.at, {
    reviewer: [reviewer.milestone("One", { unit: range.unit, findings: recorded })],
  });
  if (Object.keys(later).length > 0) await publish(later, "Later");
  const sha = fix === "nochange" ? (await rig.at.state()).branch.head : await publish(fix, "Fix");
  if (fix !== "nochange" && sha !== undefined) await green(sha);
  const outcome = fix === "nochange" ? ("nochange" as const) : ("fixed" as const);
  const unit = `fix:${item.id}:1`;
  const attempt = { id: item.id, attempt: 1, outcome, sha, unit };
  write(rig.at, { builder: [builder.fix(attempt)] });
  const step = verifyStep({ ...attempt, reason: undefined });
  await reviewerMain(context).perform(step, await rig.at.state());
  const [ended] = role.recordsOf("verify.end");
  if (ended === undefined) throw new Error("there is no verdict");
  return { verdict: ended.verdict, reason: ended.reason ?? "", asked: role.asked.length, findings };
}

test("restoring a deleted test closes its finding without an engine", async () => {
  using rig = sessionRig();
  const { verdict, reason, asked, findings } = await judged(rig, WITHOUT, {
    "test/sum.test.js": TESTS,
  });
  expect(findings).toMatchObject([{ computed: { of: "hidden", m: "One" } }]);
  expect([verdict, asked]).toEqual(["closed", 0]);
  expect(reason).toContain("the tests are there as they were");
});

test("a fix of what old tests showed is not sent back for a test that was red before its range", async () => {
  using rig = sessionRig();
  const name = "was never right";
  const file = { "test/never.test.js": `test("${name}", () => { assert.equal(1, 2); });\n` };
  const restored = { "sum.js": SUM, "test/sum.test.js": TESTS };
  const { verdict, reason, findings } = await judged(rig, BENT, restored, {
    known: { name, file },
  });
  expect(findings.map(({ computed }) => computed?.of)).toContain("old");
  expect([verdict, reason]).toEqual(["closed", expect.stringContaining("none fails any more")]);
});

test.each<[string, Change | "nochange"]>([
  ["that changes something else", { "sum.js": `${SUM}// fixed\n` }],
  ["that changes nothing", "nochange"],
  [
    "that restores it skipped",
    { "test/sum.test.js": TESTS.replace('test("takes', 'test.skip("takes') },
  ],
  [
    "that restores half of it",
    { "test/sum.test.js": TESTS.replace(" assert.equal(sum(0, 1), 1);", "") },
  ],
  [
    "that restores it without checks",
    { "test/sum.test.js": TESTS.replace(/\{ assert.equal\(sum\(0, 0.*\}/, "{ sum(0, 0); }") },
  ],
  [
    "that removes another one instead",
    { "test/sum.test.js": TESTS.replace(/test\("adds.*\n/, "") },
  ],
])("a fix %s leaves the finding open, without asking an engine", async (_, fix) => {
  using rig = sessionRig();
  const { verdict, reason, asked } = await judged(rig, WITHOUT, fix);
  expect([verdict, asked]).toEqual(["reopened", 0]);
  expect(reason).toMatch(/takes zero|adds/);
});

test("later changes to other tests of the file do not count against the fix", async () => {
  using rig = sessionRig();
  const more = `${TESTS}test("more", () => { assert.equal(sum(5, 5), 10); });\n`;
  const { verdict } = await judged(
    rig,
    { "test/sum.test.js": more.replace(/test\("takes.*\n/, "") },
    { "test/sum.test.js": more },
    { later: { "test/other.test.js": `test("other", () => { assert.ok(1 + 1 == 2); });\n` } },
  );
  expect(verdict).toBe("closed");
});

test("restoring a bent test closes its finding without another run if verify passed", async () => {
  using rig = sessionRig();
  const fix = { "sum.js": SUM, "test/sum.test.js": TESTS };
  const { verdict, asked, findings } = await judged(rig, BENT, fix);
  expect(findings).toMatchObject([{ computed: { of: "old" } }]);
  expect([verdict, asked]).toEqual(["closed", 0]);
});

test("code that passes the old test again closes the finding, even if the test has changed", async () => {
  using rig = sessionRig();
  const again = {
    "sum.js": SUM,
    "test/sum.test.js": `${TESTS}test("more", () => { assert.equal(sum(3, 3), 6); });\n`,
  };
  const { verdict, reason, asked } = await judged(rig, BENT, again);
  expect([verdict, asked]).toEqual(["closed", 0]);
  expect(reason).toContain("the tests as they were pass");
});

test.each<[string, Change | "nochange"]>([
  ["an unrelated fix", { "sum.js": `${BENT["sum.js"]}// fixed\n` }],
  ["a claim that nothing needs fixing", "nochange"],
])("%s leaves the finding about a bent test open", async (_, fix) => {
  using rig = sessionRig();
  const { verdict, reason, asked } = await judged(rig, BENT, fix);
  expect([verdict, asked]).toEqual(["reopened", 0]);
  expect(reason).toContain("adds");
});

const EMPTY = { "test/new.test.js": 'test("subtracts", () => { sum(1, -1); });\n' };

test.each<[string, Change | "nochange", string]>([
  [
    "gets an assertion",
    { "test/new.test.js": 'test("subtracts", () => { assert.equal(1, 2 - 1); });\n' },
    "closed",
  ],
  ["is removed", { "test/new.test.js": undefined }, "closed"],
  [
    "gets one that always holds",
    { "test/new.test.js": 'test("subtracts", () => { assert.ok(true); });\n' },
    "reopened",
  ],
  ["is unchanged", "nochange", "reopened"],
])(
  "a new test that checks nothing and %s is judged without an engine",
  async (_, fix, expected) => {
    using rig = sessionRig();
    const { verdict, asked, findings } = await judged(rig, EMPTY, fix);
    expect(findings).toMatchObject([
      {
        level: "warning",
        reviewer: "tests",
        computed: { of: "unasserted" },
        file: "test/new.test.js",
      },
    ]);
    expect([verdict, asked]).toEqual([expected, 0]);
  },
);

test("a finding by a reviewer is judged by an engine", async () => {
  using rig = sessionRig();
  const own = finding("COR-00000b");
  const fix = { "sum.js": `${SUM}// fixed\n` };
  const { verdict, asked } = await judged(rig, {}, fix, { own });
  expect([verdict, asked]).toEqual(["closed", 1]);
});

test("a person's finding is never treated as computed, whatever its record contains", async () => {
  using rig = sessionRig();
  const role = rig.role("reviewer", () => PASSED);
  const { base } = rig.session;
  const computed = { of: "hidden", start: base, end: base, m: "One" } as const;
  const item = {
    index: 0,
    kind: "add",
    finding: finding("HUM-00000a", { reviewer: "human", computed }),
  } as const;
  await reviewerMain(role.context).perform({ kind: "adopt-human", item }, await rig.at.state());
  expect(role.recordsOf("adopt.end")[0]?.finding).toMatchObject({ id: "HUM-00000a" });
  expect(role.recordsOf("adopt.end")[0]?.finding?.computed).toBeUndefined();
});

const HOLLOW = { "sum.js": SUM.replace("+", "-"), "run.cjs": "// nothing\n" };

test.each<[string, Change, "closed" | "reopened"]>([
  ["corrects the code and the runner", { "sum.js": SUM, "run.cjs": RUNNER }, "closed"],
  ["corrects only the code", { "sum.js": SUM }, "closed"],
  ["changes something else", { "other.js": "1;\n" }, "reopened"],
  ["removes the runner", { "run.cjs": undefined }, "reopened"],
])("the old tests run again with their old harness after a fix that %s", async (...row) => {
  using rig = sessionRig();
  const [, fix, expected] = row;
  const { verdict, asked, findings } = await judged(rig, HOLLOW, fix);
  expect(findings).toMatchObject([{ computed: { of: "harness", m: "One" } }]);
  expect([verdict, asked]).toEqual([expected, 0]);
});
