import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testerMain } from "../../../src/agents/tester/main.ts";
import { put } from "../../rig/in-process-session.ts";
import { sessionRig } from "../role-rig.ts";
import { found, PASSED } from "../turns.ts";
import { testing } from "./testing.ts";

/** What a tester may do to existing tests, with real git and a scripted engine. */

const TESTS = `import { test, expect } from "vitest";
test("adds two numbers", () => {
  expect(add(1, 2)).toBe(3);
  expect(add(2, 2)).toBe(4);
});
test("keeps the sign", () => {
  expect(add(-1, 0)).toBe(-1);
});
`;
const FILES = {
  "test/add.test.js": TESTS,
  "test/AddTest.java": "class AddTest { @Test void adds() { assertEquals(3, add(1, 2)); } }\n",
  "test/package.json": `{"scripts":{"test":"vitest run"}}\n`,
};

const HARMS: readonly [string, (cwd: string) => void, string][] = [
  [
    "deletes a test",
    (cwd) => {
      put(cwd, "test/add.test.js", TESTS.replace(/test\("keeps[\s\S]*/, ""));
    },
    "keeps the sign",
  ],
  [
    "skips a test",
    (cwd) => {
      put(cwd, "test/add.test.js", TESTS.replace(`test("keeps`, `test.skip("keeps`));
    },
    "skipped",
  ],
  [
    "has one test run alone",
    (cwd) => {
      put(cwd, "test/add.test.js", TESTS.replace(`test("keeps`, `test.only("keeps`));
    },
    "focused",
  ],
  [
    "empties a test",
    (cwd) => {
      put(cwd, "test/add.test.js", TESTS.replace("expect(add(-1, 0)).toBe(-1);", "add(-1, 0);"));
    },
    "checks nothing any more",
  ],
  [
    "weakens a test",
    (cwd) => {
      put(cwd, "test/add.test.js", TESTS.replace("  expect(add(2, 2)).toBe(4);\n", ""));
    },
    "checks less",
  ],
  [
    "changes what runs the tests",
    (cwd) => {
      put(cwd, "test/package.json", `{"scripts":{"test":"true"}}\n`);
    },
    "test command changed",
  ],
  [
    "removes a file whose tests wisp cannot distinguish",
    (cwd) => {
      rmSync(join(cwd, "test/AddTest.java"));
    },
    "AddTest.java",
  ],
];

test.each(HARMS)(
  "a tester's commit that %s is refused, saved and noted, and the next prompt gives the reason",
  async (_, harm, word) => {
    using rig = sessionRig();
    const role = await testing(
      rig,
      ({ cwd, attempt }) => {
        if (attempt === 1) harm(cwd);
        put(cwd, "test/more.test.js", `test("more", () => { expect(1).toBe(1 + 0); });\n`);
        return PASSED;
      },
      { files: FILES },
    );
    await role.perform();
    expect(role.asked).toHaveLength(2);
    expect(role.asked[1]?.prompt).toContain("was refused, and is not there any more");
    expect(role.asked[1]?.prompt).toContain(word);
    const [note = ""] = role.notes();
    expect(note).toContain(word);
    const rescue = /refs\/wisp\/rescue\/\S+?(?=[:)\s]|$)/.exec(note)?.[0] ?? "";
    expect(rig.at.git("diff", "--name-only", "wisp/demo~1", rescue)).not.toBe("");
    // Only the second turn's work is published.
    expect(role.branch()).toEqual(["test: cover One"]);
    expect(rig.at.git("diff", "--name-status", role.end, "wisp/demo")).toBe("A\ttest/more.test.js");
    expect(role.recordsOf("test.end")).toMatchObject([{ outcome: "tested" }]);
  },
);

test("a tester that harms tests again ends without commits, but its bugs count", async () => {
  using rig = sessionRig();
  const role = await testing(
    rig,
    ({ cwd }) => {
      rmSync(join(cwd, "test/add.test.js"));
      return found("Bug", "src/a.js:1", "grep -q 2 src/a.js");
    },
    { files: FILES },
  );
  await role.perform();
  expect(role.asked).toHaveLength(2);
  expect(role.branch()).toEqual([]);
  expect(role.recordsOf("test.end")).toMatchObject([{ outcome: "tested", commits: [] }]);
  expect(role.recordsOf("test.end")[0]?.bugs).toHaveLength(1);
});

test("tests that are added, moved, renamed or restructured with all their checks are published", async () => {
  using rig = sessionRig();
  const role = await testing(
    rig,
    ({ cwd }) => {
      rmSync(join(cwd, "test/add.test.js"));
      const grouped = `describe("add", () => {\n${TESTS.replace(/^import.*\n/, "").replace("keeps the sign", "keeps signs")}});\n`;
      put(
        cwd,
        "test/sum/add.test.js",
        `${grouped}test("zero", () => { expect(add(0, 0)).toBe(0); });\n`,
      );
      put(cwd, "test/new.test.js", `test("new", () => { expect(add(5, 5)).toBe(10); });\n`);
      return PASSED;
    },
    { files: FILES },
  );
  await role.perform();
  expect(role.asked).toHaveLength(1);
  expect(role.branch()).toEqual(["test: cover One"]);
});

test("changes to a test that the milestone's tasks ask for are allowed", async () => {
  using rig = sessionRig();
  const role = await testing(
    rig,
    ({ cwd }) => {
      put(cwd, "test/add.test.js", TESTS.replace(/test\("keeps[\s\S]*/, ""));
      return PASSED;
    },
    { files: FILES, task: "Remove the sign handling and its test `keeps the sign`" },
  );
  await role.perform();
  expect(role.asked).toHaveLength(1);
  expect(role.branch()).toEqual(["test: cover One"]);
});

test("the tester may correct a test that its own commit added in this session", async () => {
  using rig = sessionRig();
  const role = await testing(
    rig,
    ({ cwd, purpose }) => {
      if (purpose === "test") {
        put(
          cwd,
          "test/own.test.js",
          `test("own", () => { expect(a).toBe(7); expect(b).toBe(8); });\n`,
        );
      } else {
        put(cwd, "test/own.test.js", `test("own", () => { expect(a).toBe(7); });\n`);
      }
      return PASSED;
    },
    { files: FILES },
  );
  await role.perform();
  const final = { kind: "final-test", n: 1, unit: "final:1", reopens: 0 } as const;
  await testerMain(role.context).perform(final, await rig.at.state());
  expect(role.asked).toHaveLength(2);
  expect(role.branch()).toEqual(["test: cover One", "test: cover the whole"]);
});
