import { expect, test } from "vitest";
import type { Oid } from "../../../src/base/oid.ts";
import { isAcceptable, verifyAt } from "../../../src/evidence/verify/verify-at.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../../src/session/state/fold-builder.ts";
import { sessionRig } from "../../agents/role-rig.ts";
import { PASSED } from "../../agents/turns.ts";
import { commit, put } from "../../rig/in-process-session.ts";

const NODE = (reporter: string) => [
  [process.execPath, "--test", `--test-reporter=${reporter}`, "test/a.test.cjs", "test/b.test.cjs"],
];

/** A test file of node's own runner, about a module that a commit changes. */
const TEST = (of: string, titles: readonly string[]) =>
  [
    `const { test } = require("node:test");`,
    `const assert = require("node:assert");`,
    ...titles.map((title) => `test("${title}", () => assert.ok(require("../lib.cjs").${of}));`),
  ].join("\n");

const LIB = (a: boolean, b: boolean) => `module.exports = { a: ${a}, b: ${b} };\n`;

/** Runs the two tests of each of two files in the form in which tape prints them. */
const TAPE = `
const lib = require("./lib.cjs");
let n = 0;
const run = (file, title, oks) => {
  console.log("# " + title);
  for (const ok of oks) {
    n += 1;
    console.log((ok ? "ok " : "not ok ") + n + " should be strictly equal");
    if (!ok) console.log("  ---\\n    operator: equal\\n    at: Test.<anonymous> (" + process.cwd() + "/test/" + file + ":7:12)\\n  ...");
    if (!ok) process.exitCode = 1;
  }
};
run("parse.js", "parse()", [lib.a, true]);
run("stringify.js", "stringify()", [lib.b, true]);
console.log("\\n1.." + n + "\\n# tests " + n);
`;

/** The same in the form of mocha. */
const MOCHA = `
const { a, b } = require("./lib.cjs");
const failed = [a || ["a cart", "is empty"], b || ["a list", "is empty"]].filter(Array.isArray);
console.log("\\n  " + (4 - failed.length) + " passing (5ms)\\n  " + failed.length + " failing\\n");
failed.forEach(([group, name], at) => {
  console.log("  " + (at + 1) + ") " + group + "\\n       " + name + ":\\n\\n      AssertionError: no\\n");
  process.exitCode = 1;
});
`;

/** A session with commits of the given files, each on top of the one before. */
async function sessionOf(
  verify: readonly (readonly string[])[],
  commits: Readonly<Record<string, Readonly<Record<string, string>>>>,
) {
  const rig = sessionRig();
  const role = rig.role("builder", () => PASSED, {
    session: { verify: verify.map((command) => [...command]) },
  });
  const clone = await role.context.clone();
  await clone.syncTo();
  const at = new Map<string, Oid>();
  for (const [name, files] of Object.entries(commits)) {
    for (const [path, text] of Object.entries(files)) put(clone.directory, path, text);
    commit(clone.directory, name);
    const head = await clone.head();
    at.set(name, head.ok ? head.value : "");
    await clone.publish(at.get(name) ?? "");
  }
  const fold = (): BuilderFold =>
    role
      .records()
      .reduce((state, record) => foldBuilder(state, record, rig.session.policy), EMPTY_BUILDER);
  const oid = (name: string) => at.get(name) ?? "";
  return {
    [Symbol.dispose]: () => {
      rig[Symbol.dispose]();
    },
    failing: async (name: string) => {
      const verified = await verifyAt(role.context, fold(), oid(name));
      return verified.kind === "verified" ? verified.failing : undefined;
    },
    accepts: async (after: string, before: string) =>
      (
        await isAcceptable(role.context, fold(), {
          at: oid(after),
          references: [oid(before)],
          isLast: false,
        })
      ).kind,
  };
}

const TITLES = ["empty input", "other input"];
const NODE_FILES = {
  "test/a.test.cjs": TEST("a", TITLES.slice(0, 1)),
  "test/b.test.cjs": TEST("b", TITLES.slice(0, 1)),
};

test.each<readonly [string, readonly (readonly string[])[], Readonly<Record<string, string>>]>([
  ["node --test, TAP", NODE("tap"), NODE_FILES],
  ["node --test, spec", NODE("spec"), NODE_FILES],
  ["tape", [[process.execPath, "all.cjs"]], { "all.cjs": TAPE }],
  ["mocha", [[process.execPath, "all.cjs"]], { "all.cjs": MOCHA }],
])(
  "%s: where a test is red before, a namesake that the work breaks is worse",
  async (_, verify, files) => {
    using session = await sessionOf(verify, {
      before: { ...files, "lib.cjs": LIB(false, true) },
      untouched: { "README.md": "more" },
      both: { "lib.cjs": LIB(false, false) },
      other: { "lib.cjs": LIB(true, false) },
      mended: { "lib.cjs": LIB(true, true) },
    });
    expect(await session.failing("before")).toHaveLength(1);
    expect(await session.accepts("untouched", "before")).toBe("yes");
    expect(await session.accepts("both", "before")).toBe("no");
    expect(await session.accepts("other", "before")).toBe("no");
    expect(await session.accepts("mended", "before")).toBe("yes");
  },
);

test("a test that fails more of its checks than before is worse, although all of them have one name", async () => {
  const tape = TAPE.replace("[lib.a, true]", "[lib.a, lib.b, true]").replace(
    "[lib.b, true]",
    "[true]",
  );
  using session = await sessionOf([[process.execPath, "all.cjs"]], {
    before: { "all.cjs": tape, "lib.cjs": LIB(false, true) },
    after: { "lib.cjs": LIB(false, false) },
  });
  expect(await session.failing("before")).toEqual([
    "test/parse.js > parse() > should be strictly equal",
  ]);
  expect(await session.accepts("after", "before")).toBe("no");
});

test("red after red: tests that no longer run are worse, unless the range removed as many", async () => {
  const gone = `if (!require("../lib.cjs").a && require("../lib.cjs").b) process.exit(0);\n`;
  const files = {
    "test/a.test.cjs": TEST("a", ["empty input"]),
    "test/b.test.cjs": `${gone}${TEST("c === undefined || true", TITLES)}`,
  };
  using session = await sessionOf(NODE("tap"), {
    before: { ...files, "lib.cjs": LIB(false, false) },
    fewer: { "lib.cjs": LIB(false, true) },
    removed: {
      "lib.cjs": LIB(false, false),
      "test/b.test.cjs": `${gone}${TEST("c === undefined || true", TITLES.slice(1))}`,
    },
  });
  expect(await session.failing("before")).toEqual(["test/a.test.cjs > empty input"]);
  expect(await session.failing("fewer")).toEqual(["test/a.test.cjs > empty input"]);
  expect(await session.accepts("fewer", "before")).toBe("no");
  expect(await session.accepts("removed", "before")).toBe("yes");
});

test("a todo test with a reason, whose time differs in each run, blames nobody", async () => {
  const slow = `const { test } = require("node:test");
test("waits", { todo: "issue 12" }, () => new Promise((_, no) => setTimeout(no, Math.random() * 9, new Error("late"))));
test("is red", () => { throw new Error("no"); });`;
  using session = await sessionOf(NODE("spec"), {
    before: { "test/a.test.cjs": slow, "test/b.test.cjs": "" },
    untouched: { "README.md": "more" },
  });
  expect(await session.failing("before")).toEqual(["test/a.test.cjs > is red"]);
  expect(await session.accepts("untouched", "before")).toBe("yes");
});
