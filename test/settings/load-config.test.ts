import fc from "fast-check";
import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import { REVISION_STUCK, STORIES_STUCK } from "../../src/fs-protocol/home/policy.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import {
  configProblemSentence,
  type ConfigProblem,
} from "../../src/settings/config/config-problem.ts";
import type { Config } from "../../src/settings/schema/config-schema.ts";
import { loadConfig } from "../../src/settings/config/load-config.ts";
import { policyOf } from "../../src/settings/config/session-policy.ts";

function loaded(text: string | undefined): Config {
  const result = loadConfig(text);
  expect(result).toMatchObject({ ok: true });
  return present(result.ok ? result.value : undefined, "the settings are sound");
}

function problems(text: string): readonly ConfigProblem[] {
  const result = loadConfig(text);
  return result.ok ? [] : result.failure.problems;
}

function sentencesOf(text: string): readonly string[] {
  return problems(text).map(configProblemSentence);
}

const MINUTE_MS = 60_000;

/** The settings that are the same for all roles. */
const SAME = { args: [], env: [], idleTimeout: 15 * MINUTE_MS, schema: true };

test("no file, an empty file and a file of comments give the defaults", () => {
  for (const text of [undefined, "", "\n\n", "# engine: x\n", "---\n", "\ufeff# x\n"]) {
    expect(loaded(text)).toEqual({
      roles: {
        planner: { ...SAME, timeout: 30 * MINUTE_MS },
        builder: { ...SAME, timeout: 60 * MINUTE_MS },
        reviewer: { ...SAME, timeout: 20 * MINUTE_MS },
        tester: { ...SAME, timeout: 30 * MINUTE_MS },
      },
      verifyTimeout: 10 * MINUTE_MS,
      setupInputs: [],
      setupTimeout: 10 * MINUTE_MS,
      commands: { env: [], slot: [], ci: true },
      drain: { reviewer: 2 * MINUTE_MS, tester: 10 * MINUTE_MS, planner: 5 * MINUTE_MS },
      plan: "auto",
      replan: "changed",
      attempts: { build: 3, fix: 3, unit: 3 },
      fixRounds: 3,
      review: {
        strict: false,
        floor: "blocking",
        noFix: false,
        batch: "auto",
        perCommit: 5,
        fixBatch: 1,
        parallel: 3,
      },
      revisions: { requestedMax: 3, hibernate: 60 * MINUTE_MS },
      namespaces: true,
      mcp: {},
      sandbox: {
        kind: "auto",
        pids: 4_096,
        memory: 8 * 1024 ** 3,
        network: true,
        commands: true,
        deny: [],
        allow: [],
        write: [],
        domains: [],
      },
      stuck: {
        stories: { hint: 3, skip: 5, pause: 7 },
        revisions: { hint: 2, skip: false, pause: 4 },
      },
      budget: { milestone: {} },
      publish: { at: "done" },
      report: { publish: false },
      tests: {
        paths: [
          "test/**",
          "tests/**",
          "spec/**",
          "**/*.test.*",
          "**/*.spec.*",
          "**/__tests__/**",
          "**/*_test.*",
          "**/test_*.py",
        ],
      },
    });
  }
});

test("the defaults are the policy of the seed", () => {
  expect(policyOf(loaded(undefined), "plain")).toEqual(DEFAULT_POLICY);
});

test("stories and revisions have stuck stages, each of which can be set or turned off", () => {
  const { stuck: ofStories } = policyOf(loaded(undefined), "stories");
  const { stuck: ofRevisions } = policyOf(loaded(undefined), "revisions");
  expect([ofStories, ofRevisions]).toEqual([STORIES_STUCK, REVISION_STUCK]);
  const config = loaded("stuck: { stories: { hint: false, skip: 2 }, revisions: { pause: 9 } }\n");
  expect(policyOf(config, "stories").stuck).toEqual({ skip: 2, pause: 7 });
  expect(policyOf(config, "revisions").stuck).toEqual({ hint: 2, pause: 9 });
  expect(sentencesOf("stuck: { stories: { skip: 0, pause: false } }\n")).toEqual([
    expect.stringContaining("skip: expected a whole number from 1 to 100, or false for none"),
    expect.stringContaining("pause: expected a whole number from 1 to 100"),
  ]);
});

test("every key is read", () => {
  const config = loaded(`
engine: claude
engines: [claude, codex]
roles:
  builder: { model: opus, args: [--effort, high], env: [DATABASE_URL, MYAPP_*], idleTimeout: 5m, schema: false }
  tester: { engine: { command: [./agent.sh, --fast] }, timeout: 90s }
verify: [npm, test]
verifyTimeout: 1500
setup: [[npm, ci], [npm, run, generate]]
setupTimeout: 1h
drain: { reviewer: 30s }
replan: never
attempts: { build: 1, fix: 2, unit: 5 }
fixRounds: 7
review: { strict: true, floor: warning, noFix: true, batch: 6, perCommit: 0, fixBatch: 4, parallel: 1 }
revisions: { requestedMax: 5, hibernate: false }
publish: { remote: origin, at: boundary }
report: { publish: true }
tests: { paths: ["e2e/**"] }
`);
  expect(config).toMatchObject({
    engine: "claude",
    engines: ["claude", "codex"],
    roles: {
      builder: {
        model: "opus",
        args: ["--effort", "high"],
        env: ["DATABASE_URL", "MYAPP_*"],
        idleTimeout: 5 * MINUTE_MS,
        schema: false,
      },
      tester: { engine: { command: ["./agent.sh", "--fast"] }, timeout: 90_000 },
    },
    verify: { run: [["npm", "test"]], knownRed: [] },
    verifyTimeout: 1500,
    setup: [
      ["npm", "ci"],
      ["npm", "run", "generate"],
    ],
    setupTimeout: 3_600_000,
    review: { batch: 6, parallel: 1 },
    publish: { remote: "origin", at: "boundary" },
    report: { publish: true },
    tests: { paths: ["e2e/**"] },
  });
  expect(policyOf(config, "plain")).toEqual({
    buildAttemptsMax: 1,
    fixAttemptsMax: 2,
    unitAttemptsMax: 5,
    fixRoundsMax: 7,
    fixBatchMax: 4,
    strict: true,
    floor: "warning",
    noFix: true,
    reviewPerCommit: 0,
    requestedRevisionsMax: 5,
    hibernateMs: 0,
    replan: "never",
    drainMs: { reviewer: 30_000, tester: 600_000, planner: 300_000 },
  });
});

test("false means no command, unlike an absent key, for which one is detected", () => {
  expect(loaded("verify: false\nsetup: false\n")).toMatchObject({
    verify: { run: [], knownRed: [] },
    setup: [],
  });
  expect(loaded("")).not.toHaveProperty("verify");
});

test.each([
  ["1ms", 1],
  ["30s", 30_000],
  ["10m", 600_000],
  ["2h", 7_200_000],
  ["168h", 604_800_000],
  ["250", 250],
])("reads the duration %s as %i milliseconds", (text, ms) => {
  expect(loaded(`verifyTimeout: ${text}\n`).verifyTimeout).toBe(ms);
});

test.each([
  "0",
  "0s",
  "-1",
  "1.5h",
  "10 m",
  "10min",
  "169h",
  "999999999h",
  "1e3s",
  "[]",
  "true",
  "~",
])("refuses %s as a duration", (text) => {
  expect(sentencesOf(`verifyTimeout: ${text}\n`)).toEqual([
    expect.stringContaining("verifyTimeout: expected a duration such as 10m, 30s, 1h, or a number"),
  ]);
});

test("reports an unknown key with its place and a suggestion", () => {
  expect(problems("engine: x\nverify-timeout: 1m\nroles:\n  builder:\n    timout: 1h\n")).toEqual([
    {
      kind: "unknown-key",
      line: 2,
      column: 1,
      key: "verify-timeout",
      suggestion: "verifyTimeout",
      known: [
        ...[
          "attempts",
          "budget",
          "build",
          "commands",
          "drain",
          "engine",
          "engines",
          "executor",
          "fixRounds",
          "mcp",
          "namespaces",
          "notify",
          "plan",
          "publish",
          "replan",
          "report",
          "review",
          "revisions",
          "roles",
        ],
        ...[
          "sandbox",
          "setup",
          "setupInputs",
          "setupTimeout",
          "stuck",
          "tests",
          "verify",
          "verifyTimeout",
        ],
      ],
    },
    {
      kind: "unknown-key",
      line: 5,
      column: 5,
      key: "roles.builder.timout",
      suggestion: "timeout",
      known: ["args", "engine", "env", "idleTimeout", "model", "schema", "startTimeout", "timeout"],
    },
  ]);
});

test("lists the known keys for an unknown key that resembles none", () => {
  expect(sentencesOf("publish:\n  whatever: 1\n")).toEqual([
    "2:3: unknown key publish.whatever. Known here: at, remote",
  ]);
});

test("reports a misspelt key of an alternative once, and not as missing as well", () => {
  expect(sentencesOf("engine: { comand: [x] }\n")).toEqual([
    "1:11: unknown key engine.comand. Did you mean command?",
  ]);
  expect(sentencesOf("engine: {}\n")).toEqual([
    "1:9: engine: expected { command: [executable, arguments…] } or { acp: [executable, arguments…] }; found a mapping",
  ]);
  expect(sentencesOf("engine: { command: [./agent.sh], mode: auto }\n")).toEqual([
    "1:9: engine: expected { acp: [executable, arguments…], mode: word }; found a mapping",
  ]);
});

test.each([
  ["{ modell: opus }", "1:41: unknown key attempts.build[1].modell. Did you mean model?"],
  [
    "{ engine: auto }",
    '1:49: attempts.build[1].engine: expected the name of an engine, such as codex; found "auto"',
  ],
  [
    "{}",
    "1:39: attempts.build[1]: expected { model: name }, { engine: name } or { model: name, engine: name }; found a mapping",
  ],
])("reports what is wrong with one of the build attempts: %s", (attempt, sentence) => {
  expect(sentencesOf(`attempts: { build: [{ model: haiku }, ${attempt}] }\n`)).toEqual([sentence]);
});

test("reports a wrong value with its place, what was expected and what was found", () => {
  expect(
    sentencesOf(`
replan: alway
fixRounds: many
attempts:
  build: 0
review:
  strict: yes
publish:
  remote: --upload-pack=x
tests:
  paths: [ok/**, ../out]
drain:
`),
  ).toEqual([
    '2:9: replan: expected one of changed, always, never; found "alway". Did you mean always?',
    '3:12: fixRounds: expected a whole number from 1 to 100; found "many"',
    "5:10: attempts.build: expected a whole number from 1 to 100, or a list such as [{ model: sonnet }, { model: opus, engine: claude }]; found 0",
    '7:11: review.strict: expected true or false; found "yes"',
    '9:11: publish.remote: expected the name of a git remote; found "--upload-pack=x"',
    '11:18: tests.paths[1]: expected a glob inside the repository, such as test/**; found "../out"',
    "12:1: drain: expected a mapping of keys to values; found nothing",
  ]);
});

test.each([
  ["npm test", "a list of words: [npm, test]"],
  ["make -C sub check_all", "a list of words: [make, -C, sub, check_all]"],
  ["npm test && npm run lint", 'a list of words: [sh, -c, "npm test && npm run lint"]'],
  ["sleep 1", 'a list of words: [sleep, "1"]'],
])("refuses a command line and shows it as a list: %s", (line, expected) => {
  expect(sentencesOf(`verify: ${line}\n`)).toEqual([
    `1:9: verify: expected ${expected}; found ${JSON.stringify(line)}`,
  ]);
});

test("accepts the list that it suggests for a command line", () => {
  for (const line of ["npm test", "a && b", "sleep 1", "test true", "./x.sh --a=b:c", "yes no"]) {
    const [problem] = problems(`verify: ${JSON.stringify(line)}\n`);
    const list = problem?.kind === "value" ? problem.expected.replace(/^.*?: /, "") : "";
    expect(loaded(`verify: ${list}\n`).verify?.run).toHaveLength(1);
  }
});

test("reads the tests that are known to fail, with or without commands", () => {
  const names = ["test/a.test.js > adds", "b"];
  const known = `knownRed: ${JSON.stringify(names)}`;
  expect(loaded(`verify: { run: [npm, test], ${known} }\n`).verify).toEqual({
    run: [["npm", "test"]],
    knownRed: names,
  });
  expect(loaded(`verify: { ${known} }\n`).verify).toEqual({ knownRed: names });
  expect(loaded("verify: { run: false }\n").verify).toEqual({ run: [], knownRed: [] });
  expect(sentencesOf("verify: { knownRed: a }\n")[0]).toBe(
    '1:21: verify.knownRed: expected a list of names of tests, as wisp prints them; found "a"',
  );
  expect(sentencesOf("verify: { knowRed: [a] }\n")[0]).toContain("knownRed");
});

test("refuses numbers, empty lists and empty names in a command, with their places", () => {
  const words = "expected text without NUL characters (numbers and true or false need quotes)";
  expect(sentencesOf("verify: [npm, 1]\n")).toEqual([`1:15: verify[1]: ${words}; found 1`]);
  expect(sentencesOf("verify: []\n")).toEqual([
    "1:9: verify: expected a list of words such as [npm, test], a list of such lists, or false; " +
      "found an empty list",
  ]);
  expect(sentencesOf('verify:\n  - [npm, test]\n  - ["", x]\n')).toEqual([
    '3:6: verify[1][0]: expected the name of an executable; found ""',
  ]);
  expect(sentencesOf('engine:\n  command: ["a\\0b"]\n')).toEqual([
    `2:13: engine.command[0]: ${words}; found "ab"`,
  ]);
});

test("reports all problems at once, in the order of the file", () => {
  const text = "zzz: 1\nfixRounds: x\nroles: { builder: { timeout: x }, bilder: 1 }\nengine: 5\n";
  expect(problems(text).map(({ line, column }) => [line, column])).toEqual([
    [1, 1],
    [2, 12],
    [3, 30],
    [3, 35],
    [4, 9],
  ]);
});

test.each([
  ["engine: [a", 1],
  ["engine: a\nengine: b\n", 2],
  ["roles:\n\tbuilder: {}\n", 2],
  ["engine: a\n---\nengine: b\n", 2],
  ["engine: !secret x\n", 1],
  ["engine: *nothing\n", 1],
  ["engine: a\n b: c\n", 1],
])("reports invalid YAML with its line: %j", (text, line) => {
  expect(problems(text)[0]).toMatchObject({ kind: "syntax", line });
});

test("refuses settings that are not a mapping", () => {
  expect(sentencesOf("- engine\n")).toEqual([
    "1:1: the settings: expected a mapping of keys to values; found a list",
  ]);
  expect(sentencesOf("engine\n")).toEqual([
    '1:1: the settings: expected a mapping of keys to values; found "engine"',
  ]);
});

test("allows aliases, and refuses those that multiply or are circular", () => {
  expect(loaded("roles:\n  builder: &b { timeout: 5m }\n  tester: *b\n").roles.tester).toEqual({
    ...SAME,
    timeout: 300_000,
  });
  const lists = ["a: &a [x,x,x,x,x,x,x,x,x,x]"];
  for (const [at, name] of ["b", "c", "d", "e"].entries()) {
    const of = "abcd".charAt(at);
    lists.push(`${name}: &${name} [${Array.from({ length: 10 }, () => `*${of}`).join(",")}]`);
  }
  expect(problems(lists.join("\n"))[0]).toMatchObject({ kind: "syntax" });
  expect(problems("roles: &r { builder: *r }\n")[0]).toMatchObject({ kind: "unknown-key" });
  expect(problems("verify: &v [*v]\n")[0]).toMatchObject({ kind: "value" });
});

test.each([
  ["[".repeat(30_000)],
  ["{a: ".repeat(10_000)],
  [`engine: ${"[".repeat(1_000)}${"]".repeat(1_000)}`],
  [`engine:\n  ${"- ".repeat(10_000)}`],
  ["? ".repeat(10_000)],
  ["x".repeat(70_000)],
])("refuses a file that would exhaust the parser before it is parsed (%#)", (text) => {
  expect(problems(text)).toMatchObject([{ kind: "syntax" }]);
});

test("messages contain no terminal escapes from keys and values", () => {
  const sentences = sentencesOf('"\\e[31mred": 1\nreplan: "\\e]0;x\\a\\u202E"\n');
  expect(sentences).toHaveLength(2);
  for (const sentence of sentences) expect(sentence).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test("names of object properties are unknown keys like any other", () => {
  expect(sentencesOf("__proto__: { engine: x }\nconstructor: 1\ntoString: 2\n")).toHaveLength(3);
  expect(sentencesOf("roles: { __proto__: 1 }\n")[0]).toContain("unknown key roles.__proto__");
});

test("reports at most 50 problems", () => {
  const text = Array.from({ length: 500 }, (_, at) => `k${String(at)}: 1\n`).join("");
  expect(problems(text)).toHaveLength(50);
});

test("any text gives settings or problems with places inside the text, and never throws", () => {
  const piece = fc.constantFrom(
    ...["engine", "roles", "builder", "timeout", "verify", "tests", "paths", "drain", "replan"],
    ...[
      ": ",
      ":\n  ",
      "\n",
      "- ",
      "[",
      "]",
      "{",
      "}",
      ", ",
      "'",
      '"',
      "|",
      ">",
      "&a ",
      "*a",
      "!!x ",
    ],
    ...[
      "1",
      "10m",
      "true",
      "~",
      "#",
      "%",
      "@",
      "`",
      "\t",
      "\u0000",
      "\ufeff",
      "\ud800",
      "<<: ",
      "?",
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const text = pieces.join("");
      const lines = text.split(/\r\n|\n|\r/).length;
      const result = loadConfig(text);
      if (result.ok) return;
      expect(result.failure.problems.length).toBeGreaterThan(0);
      for (const problem of result.failure.problems) {
        expect(problem.line).toBeLessThanOrEqual(lines);
        expect(configProblemSentence(problem)).toMatch(/^\d+:\d+: ./);
      }
    }),
    { numRuns: 500 },
  );
});

test("reports engines, models, arguments and variables of the wrong form with what is expected", () => {
  expect(sentencesOf("engines: claude\n")).toEqual([
    '1:10: engines: expected a list of names of engines such as [claude, codex]; found "claude"',
  ]);
  expect(sentencesOf("roles:\n  builder: { env: [SECRET=1], args: --fast }\n")).toEqual([
    '2:20: roles.builder.env[0]: expected the name of a variable, such as DATABASE_URL; found "SECRET=1"',
    '2:37: roles.builder.args: expected a list of arguments such as [--effort, high]; found "--fast"',
  ]);
  expect(sentencesOf("commands: { env: [A, B*, '*'], envs: [] }\n")).toEqual([
    '1:26: commands.env[2]: expected the name of a variable, such as DATABASE_URL; found "*"',
    "1:32: unknown key commands.envs. Did you mean env?",
  ]);
  expect(sentencesOf("roles: { builder: { modell: x } }\n")).toEqual([
    "1:21: unknown key roles.builder.modell. Did you mean model?",
  ]);
});
