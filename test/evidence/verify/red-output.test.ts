import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { failureLine } from "../../../src/evidence/verify/failure-report.ts";
import { redFile, redOutput } from "../../../src/evidence/verify/red-output.ts";
import { sessionRig } from "../../agents/role-rig.ts";

function printing(...parts: readonly string[]) {
  const rig = sessionRig();
  const { context } = rig.role("builder");
  mkdirSync(context.home.turns, { recursive: true });
  const path = join(context.home.turns, "verify-1.out");
  writeFileSync(path, "");
  for (const part of parts) appendFileSync(path, part);
  return { context, [Symbol.dispose]: () => rig[Symbol.dispose]() };
}

test("names that were red before are left out, unless nothing else fails", () => {
  using rig = printing("not ok 1 - old\nnot ok 2 - new\n");
  const named = (known: readonly string[]) =>
    redOutput(rig.context, { output: "verify-1", failing: ["new", "old"] }, known).names;
  expect(named([])).toEqual(["new", "old"]);
  expect(named(["old"])).toEqual(["new"]);
  expect(named(["old", "new"])).toEqual(["new", "old"]);
});

test("paths in a verify tree become paths in the repository", () => {
  using rig = printing();
  const { context } = rig;
  const tree = join(context.session.state, "verify", "2", "tree");
  const text = `not ok 1 - ${tree}/test/a.test.js\n  at: ${tree}/test/a.test.js:3:1\n`;
  writeFileSync(join(context.home.turns, "verify-1.out"), text);
  const red = redOutput(context, { output: "verify-1" });
  expect(red.names).toEqual(["test/a.test.js"]);
  expect(failureLine(red)).toBe(
    "test/a.test.js. The first: not ok 1 - test/a.test.js at: test/a.test.js:3:1 (logs/turns/verify-1.out)",
  );
});

test("the path of a tree alone, as a URL, and of any number is none that people know", () => {
  using rig = printing();
  const { context } = rig;
  const tree = join(context.session.state, "verify", "12", "tree");
  const text = `not ok 1 - works in ${tree}\nnot ok 2 - file://${tree}/a.test.js\nnot ok 3 - (${tree}) ${tree}s\n`;
  writeFileSync(join(context.home.turns, "verify-1.out"), text);
  const red = redOutput(context, { output: "verify-1" });
  expect(red.names).toEqual([`(.) ${tree}s`, "a.test.js", "works in ."]);
  expect(red.text).toBe(`not ok 1 - works in .\nnot ok 2 - a.test.js\nnot ok 3 - (.) ${tree}s`);
});

test("of a huge output only the end is read, and that is said", () => {
  const noise = "ok - is not a buffer\n".repeat(500_000);
  using rig = printing("not ok 1 - early\n", noise, "not ok 2 - late\n", noise.slice(0, 100_000));
  const red = redOutput(rig.context, { output: "verify-1" });
  expect(red).toMatchObject({ isWhole: false, names: ["late"] });
  expect(failureLine(red)).toMatch(
    /^late\. The first: not ok 2 - late\. .*The beginning of the output was not read/,
  );
  expect(redFile(rig.context, "verify-1").says).toContain("the end of it");
});
