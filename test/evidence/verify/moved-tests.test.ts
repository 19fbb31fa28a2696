import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { need } from "../../../src/base/fatal.ts";
import { movedFiles, namesAfterMoves } from "../../../src/evidence/verify/moved-tests.ts";
import { redAtBase } from "../../../src/evidence/verify/red-at-base.ts";
import { isAcceptable, verifyAt } from "../../../src/evidence/verify/verify-at.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../../src/session/state/fold-builder.ts";
import { sessionRig } from "../../agents/role-rig.ts";
import { commit, put } from "../../rig/in-process-session.ts";
import { sha } from "../../rig/records.ts";

const file = (path: string, content: number) => ({ path, oid: sha(content), mode: "100644" });

test.each([
  [
    "a file with the same content elsewhere has moved",
    [file("test/a.js", 1)],
    [file("unit/a.js", 1)],
    [["test/a.js", "unit/a.js"]],
  ],
  ["one that changed has not", [file("test/a.js", 1)], [file("unit/a.js", 2)], []],
  ["one that is still there was copied", [file("a.js", 1)], [file("a.js", 1), file("b.js", 1)], []],
  [
    "one whose place another one took has not moved",
    [file("a.js", 1), file("b.js", 2)],
    [file("b.js", 1)],
    [],
  ],
  [
    "of two with the same content it cannot be told which is which",
    [file("a.js", 1), file("b.js", 1)],
    [file("c.js", 1)],
    [],
  ],
])("%s", (_, before, after, moved) => {
  expect([...movedFiles(before, after)]).toEqual(moved);
});

test("the names of tests follow their files, and nothing else of them changes", () => {
  const moved = new Map([["test/a.test.js", "unit/a.test.js"]]);
  expect(
    namesAfterMoves(
      ["test/a.test.js > adds", "test/a.test.js", "test/ab.test.js > adds", "adds"],
      moved,
    ),
  ).toEqual(["unit/a.test.js > adds", "unit/a.test.js", "test/ab.test.js > adds", "adds"]);
});

/** Runs every file of tests, and prints as vitest does: a test fails for each line of its file. */
const CHECK = `
const fs = require("node:fs");
const files = fs.readdirSync(".", { recursive: true }).filter((path) => path.endsWith(".test.js"));
const red = files.flatMap((path) =>
  fs.readFileSync(path, "utf8").split("\\n").filter(Boolean).map((name) => path + " > " + name));
for (const name of red) console.log(" FAIL  " + name);
console.log(" Tests  " + red.length + " failed | 3 passed (" + (red.length + 3) + ")");
process.exitCode = red.length > 0 ? 1 : 0;
`;

/** A base at which "adds" is red, and whether a commit is acceptable that did this to it. */
async function judged(change: (directory: string) => void) {
  using rig = sessionRig();
  const made = await rig.role("builder").context.clone();
  await made.syncTo();
  put(made.directory, "check.cjs", CHECK);
  put(made.directory, "test/a.test.js", "adds\n");
  put(made.directory, "unit/kept.txt", "");
  commit(made.directory, "Begin");
  const base = need(await made.head());
  await made.publish(base);
  const { context, records } = rig.role("builder", undefined, {
    session: { base, verify: [[process.execPath, "check.cjs"]] },
  });
  const fold = (): BuilderFold =>
    records().reduce(
      (state, record) => foldBuilder(state, record, rig.session.policy),
      EMPTY_BUILDER,
    );
  await verifyAt(context, fold(), base);
  const clone = await context.clone();
  change(clone.directory);
  commit(clone.directory, "Change");
  const at = need(await clone.head());
  const verdict = await isAcceptable(context, fold(), { at, references: [base], isLast: true });
  const builder = fold();
  return {
    kind: verdict.kind,
    known: [...(await redAtBase(context, { builder }, at)).keys()],
  };
}

const moveTo = (directory: string, to: string) => {
  renameSync(join(directory, "test/a.test.js"), join(directory, to));
};

test("a test that was red before the work began is not blamed on who only moves its file", async () => {
  expect(await judged((directory) => moveTo(directory, "unit/a.test.js"))).toEqual({
    kind: "yes",
    known: ["unit/a.test.js > adds"],
  });
});

test.each<[string, (directory: string) => void]>([
  [
    "changes it as well",
    (directory) => {
      moveTo(directory, "unit/a.test.js");
      writeFileSync(join(directory, "unit/a.test.js"), "subtracts\n");
    },
  ],
  [
    "leaves another red one in its place",
    (directory) => {
      moveTo(directory, "unit/a.test.js");
      writeFileSync(join(directory, "test/b.test.js"), "multiplies\n");
    },
  ],
  [
    "copies it",
    (directory) => {
      writeFileSync(join(directory, "unit/a.test.js"), "adds\n");
    },
  ],
])("moving its file excuses nothing else of who %s", async (_, change) => {
  expect(await judged(change)).toMatchObject({ kind: "no" });
});
