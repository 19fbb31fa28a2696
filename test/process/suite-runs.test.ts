import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

/*
 * How often a whole session of the real binary runs the suite. Each run is a cost that grows with the project, so every
 * one has a name here.
 */

/** As many milestones as there are titles, each with a module and a test of it in a file of its own. */
const scenario = (titles: readonly string[]) => String.raw`
  plan: (t) => t.plan(${JSON.stringify(titles)}.map((each) =>
    "## Milestone: " + each + "\n\n- [ ] Add " + each + " and its test\n").join("\n")),
  build(t) {
    const name = t.milestone.toLowerCase();
    t.put("src/" + name + ".js", "exports.word = \"" + name + "\";\n");
    t.put("test/" + name + ".test.js", [
      "const test = require(\"node:test\");",
      "const assert = require(\"node:assert\");",
      "const { word } = require(\"../src/" + name + ".js\");",
      "test(\"says " + name + "\", () => { assert.equal(word, \"" + name + "\"); });",
    ].join("\n") + "\n");
    t.commit("Add " + name);
    t.tick();
  },`;

const SUM_TEST = `const test = require("node:test");
const assert = require("node:assert");
const { sum } = require("../src/sum.js");
test("adds", () => { assert.equal(sum(1, 2), 3); });
`;

function project(titles: readonly string[]): ProcessSession {
  const session = processSession({
    scenario: scenario(titles),
    config: "verify: [node, --test]\n",
    files: { "src/sum.js": "exports.sum = (a, b) => a + b;\n", "test/sum.test.js": SUM_TEST },
  });
  // Each run of the whole suite leaves a line outside the tree.
  const count = `require("node:fs").appendFileSync(${JSON.stringify(runsOf(session))}, "run\\n");\n`;
  session.write("test/count.test.js", `require("node:test")("counts", () => {\n  ${count}});\n`);
  session.git("add", "-A");
  session.git("commit", "-qm", "Count the runs");
  return session;
}

function runsOf({ root }: ProcessSession): string {
  return join(root, "runs");
}

/** The runs by what they were for, from the names of their outputs. */
function namedRuns(session: ProcessSession): Readonly<Record<string, number>> {
  const named = /^\d[\dT-]+Z-(verify|source|canary|old|neutral)-/u;
  const runs: Record<string, number> = { verify: 0, source: 0, canary: 0, old: 0, neutral: 0 };
  for (const name of readdirSync(join(session.home(), "logs/turns"))) {
    const [, kind] = named.exec(name) ?? [];
    if (kind !== undefined && name.endsWith(".out")) runs[kind] = (runs[kind] ?? 0) + 1;
  }
  return runs;
}

test.for([[1], [2], [3]])(
  "a session of %i green milestones that only add tests runs the whole suite once at the base, once for each of them, once with a failing test and once at a neutral place",
  async ([milestones = 0]) => {
    await using session = project(["One", "Two", "Three"].slice(0, milestones));
    expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
    const base = 1;
    const [planted, neutral] = [1, 1];
    const { source = 0, ...runs } = namedRuns(session);
    expect(runs).toEqual({ verify: base + milestones, canary: planted, neutral, old: 0 });
    // Whether verify loads the tree's code is tried once; a run of one test file alone is none of the whole suite.
    expect(source).toBe(1);
    const counted = existsSync(runsOf(session)) ? readFileSync(runsOf(session), "utf8") : "";
    const whole = counted.split("\n").length - 1;
    expect(whole).toBeGreaterThanOrEqual(base + milestones + planted + neutral);
    expect(whole).toBeLessThanOrEqual(base + milestones + planted + neutral + source);
  },
);
