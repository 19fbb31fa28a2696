import { expect, test } from "vitest";
import type { Change } from "../../agents/publish-change.ts";
import { checkedTests } from "./checked-tests.ts";

/** A project with Node's own test runner, which npm starts. */
const NODE = {
  "package.json": JSON.stringify({ name: "sums", scripts: { test: "node --test" } }),
  "sum.js": "exports.sum = (a, b) => a + b;\n",
  "main.js": 'console.log(require("./sum.js").sum(1, 2));\n',
  "test/sum.test.js": `const test = require("node:test");
const assert = require("node:assert");
const { sum } = require("../sum.js");
test("adds", () => { assert.equal(sum(1, 2), 3); });
`,
};
const BROKEN = { "sum.js": "exports.sum = (a, b) => a - b;\n" };
const NPM_TEST = [["npm", "test"]];

function script(scripts: Readonly<Record<string, string>>, rest: object = {}): string {
  return JSON.stringify({ name: "sums", scripts, ...rest });
}

const BY_SCRIPT = {
  ...NODE,
  "package.json": script({ test: "node scripts/test.js" }),
  "scripts/test.js": `const { spawnSync } = require("node:child_process");
process.exit(spawnSync("node", ["--test"], { stdio: "inherit" }).status ?? 1);
`,
};

const BY_CI = { ...NODE, "package.json": script({ ci: "npm run unit", unit: "node --test" }) };

const BY_MAKE = {
  ...NODE,
  Makefile: "RUN = ./run-tests.sh\n\ntest: unit\n\nunit:\n\t$(RUN)\n",
  "run-tests.sh": "#!/bin/sh\nexec sh scripts/really.sh\n",
  "scripts/really.sh": "exec node --test\n",
};

const WITH_HELPER = {
  ...NODE,
  "lib/check.js": `const assert = require("node:assert");
exports.check = (actual, expected) => { assert.deepEqual(actual, expected); };
`,
  "test/sum.test.js": `const test = require("node:test");
const { check } = require("../lib/check.js");
const { sum } = require("../sum.js");
test("adds", () => {
  check(sum(1, 2), 3);
});
`,
};

test.each<
  readonly [string, readonly (readonly string[])[], Readonly<Record<string, string>>, Change]
>([
  ["a new .npmrc with another shell", NPM_TEST, NODE, { ".npmrc": "script-shell=/bin/true\n" }],
  [
    "a new pretest that mends the code for the run",
    NPM_TEST,
    NODE,
    { "package.json": script({ pretest: "sed -i 's/-/+/' sum.js", test: "node --test" }) },
  ],
  [
    "a new script before one that verify reaches",
    [["npm", "run", "ci"]],
    BY_CI,
    {
      "package.json": script({
        ci: "npm run unit",
        preunit: "sed -i 's/-/+/' sum.js",
        unit: "node --test",
      }),
    },
  ],
  [
    "another script behind one that verify reaches",
    [["npm", "run", "ci"]],
    BY_CI,
    { "package.json": script({ ci: "npm run unit", unit: "true" }) },
  ],
  ["the file behind npm test", NPM_TEST, BY_SCRIPT, { "scripts/test.js": "process.exit(0);\n" }],
  [
    "a file behind a file behind a recipe",
    [["make", "test"]],
    BY_MAKE,
    { "scripts/really.sh": "exit 0\n" },
  ],
  [
    "a variable of a Makefile",
    [["make", "test"]],
    BY_MAKE,
    { Makefile: BY_MAKE.Makefile.replace("./run-tests.sh", "true") },
  ],
  [
    "the shell of a Makefile",
    [["make", "test"]],
    BY_MAKE,
    { Makefile: `SHELL = /bin/true\n${BY_MAKE.Makefile}` },
  ],
  [
    "a new GNUmakefile, which make reads first",
    [["make", "test"]],
    BY_MAKE,
    { GNUmakefile: "test:\n\ttrue\n" },
  ],
  [
    "a helper that only tests import",
    NPM_TEST,
    WITH_HELPER,
    { "lib/check.js": "exports.check = () => undefined;\n" },
  ],
  [
    "a module that shadows the helper",
    NPM_TEST,
    {
      ...NODE,
      "test/sum.test.js": WITH_HELPER["test/sum.test.js"].replace("check.js", "check"),
      "lib/check/index.js": WITH_HELPER["lib/check.js"],
    },
    { "lib/check.js": "exports.check = () => undefined;\n" },
  ],
])(
  "verify that was hollowed out by %s is revealed by the old tests with their old harness",
  async (_, verify, base, change) => {
    const { findings, ran } = await checkedTests({
      verify,
      base,
      change: { ...BROKEN, ...change },
    });
    expect(ran).toEqual([expect.stringMatching(/^failed/)]);
    expect(findings).toMatchObject([{ level: "blocking", reviewer: "tests", category: "Tests" }]);
  },
);

test("a range that changes the configured verify commands is reported, and they do not run in this session", async () => {
  const { findings, evidence, ran } = await checkedTests({
    verify: NPM_TEST,
    base: { ...NODE, ".wisp/config.yaml": "verify: [npm, test]\n" },
    change: {
      ...BROKEN,
      ".wisp/config.yaml": 'verify: ["true"]\n',
      "test/sum.test.js": NODE["test/sum.test.js"].replace("sum(1, 2), 3", "sum(1, 2), -1"),
    },
  });
  expect(evidence).toContain('"verify": test command changed (npm test → true)');
  expect(ran).toEqual(["failed"]);
  expect(findings).toHaveLength(1);
});
