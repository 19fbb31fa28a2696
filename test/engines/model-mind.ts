import { present } from "../../src/base/assert.ts";
import { lastAgentWord } from "../../src/fs-protocol/agent-word.ts";
import type { Said, Step } from "../rig/model-server.ts";
import { driverOf } from "./cli-drivers.ts";
import type { Installed } from "./installed.ts";

/** What a model does with a prompt: the commands that it runs, and what it says of what they printed. */
export interface Play {
  readonly commands: (prompt: string) => readonly string[];
  readonly answer: (printed: string) => string;
}

/** By what a prompt asks for. */
export interface Mind {
  readonly plan: Play;
  readonly build: Play;
  readonly "review-commit": Play;
  readonly "review-milestone": Play;
  readonly fix: Play;
  readonly "verify-fix": Play;
  readonly test: Play;
}

/** Where each prompt says what it asks for. */
const ASKS: Readonly<Record<keyof Mind, RegExp>> = {
  plan: /^You are the planner of this repository/mu,
  build: /Build the milestone/u,
  "review-commit": /You review commit/u,
  "review-milestone": /You review the milestone/u,
  fix: /Fix this one finding/u,
  "verify-fix": /You opened this finding/u,
  test: /You are the tester of this repository/u,
};

/** A model that does what it is asked for, with the CLI's own shell: one command for each request. */
export function modelOf(cli: Installed, mind: Partial<Mind>): (said: readonly Said[]) => Step {
  const { shell, word } = driverOf(cli);
  return (said) => {
    const at = said.findLastIndex(({ by, text }) => by === "person" && kindOf(text) !== undefined);
    const prompt = said[at]?.text ?? "";
    const kind = present(kindOf(prompt), "wisp asks for what it has a template for");
    const play = present(mind[kind], `the model can ${kind}`);
    const printed = said.slice(at + 1).flatMap(({ by, text }) => (by === "tool" ? [text] : []));
    const command = play.commands(prompt)[printed.length];
    if (command !== undefined) return { text: "I will.", tools: [shell(command)] };
    const text = play.answer(printed.join("\n"));
    return word !== undefined && WORDS.has(kind) ? { tools: [word(wordIn(text))] } : { text };
  };
}

/** What is answered with a word alone. */
const WORDS: ReadonlySet<keyof Mind> = new Set(["plan", "build", "fix"]);

/** In the strict form of the schema, in which nothing is left out. */
function wordIn(answer: string): object {
  const { status, summary, question = null, error = null } = lastAgentWord(answer);
  return { status, summary, question, error, divergence: null };
}

function kindOf(prompt: string): keyof Mind | undefined {
  const kinds: readonly (keyof Mind)[] = [
    ...(["plan", "fix", "verify-fix", "build"] as const),
    ...(["review-commit", "review-milestone", "test"] as const),
  ];
  return kinds.find((kind) => ASKS[kind].test(prompt));
}

/** The file that a prompt asks to write the plan to, or to tick in. */
function tasksFileIn(prompt: string): string {
  const [, path] = /`(\/[^`]*\/[^`/]*(?:TASKS|tasks|plan)[^`/]*)`/u.exec(prompt) ?? [];
  return present(path, "the prompt names the file of tasks");
}

export const SUMS_PLAN = [
  "## Milestone: Sums",
  "",
  "- [ ] [feature] Add up two numbers",
  "- [ ] [docs] Say how to add up",
  "",
].join("\n");

/** The shell of gemini sets an external diff that does not exist. */
const DIFF = "git diff --no-ext-diff ";

const DONE = `{"status":"DONE","summary":"It is done."}`;
const PASSED = "### Verdict: PASSED\n\n### Findings\n";

/** The sum subtracts: the test that comes with it does not show that. */
const WRONG = "export const sum = (a, b) => a - b;";
const RIGHT = "export const sum = (a, b) => a + b;";

const FOUND = `### Verdict: NEEDS_WORK

### Findings

1. **COR-001**: Correctness - The sum subtracts
   - File: src/sum.mjs:1
   - Issue: sum(1, 2) is -1.
   - Suggestion: Add the second number.
`;

const IMPORTS = `import test from "node:test"; import assert from "node:assert"; import { sum } from "../src/sum.mjs";`;

function testOf(a: number, b: number, result: number): string {
  return `test("${a} and ${b}", () => assert.equal(sum(${a}, ${b}), ${result}));`;
}

function put(path: string, ...lines: readonly string[]): string {
  return `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(" ")} > ${path}`;
}

function tick(tasksFile: string): string {
  return `sed -i '0,/\\[ \\]/s//[x]/' '${tasksFile}'`;
}

/** The one task of a milestone. */
export const HELLO: Partial<Mind> = {
  build: {
    commands: (prompt) => [
      [
        "echo hello > hello.txt",
        "git add hello.txt",
        "git commit --quiet --message 'Say hello'",
        tick(tasksFileIn(prompt)),
      ].join(" && "),
    ],
    answer: () => DONE,
  },
};

/** One milestone of two tasks; its first commit holds a defect, which the review sees and a fix mends. */
export const SUMS: Mind = {
  plan: {
    commands: (prompt) => [put(`'${tasksFileIn(prompt)}'`, ...SUMS_PLAN.split("\n"))],
    answer: () => DONE,
  },
  build: {
    commands: (prompt) => [
      [
        "mkdir -p src test",
        put("src/sum.mjs", WRONG),
        put("test/sum.test.mjs", IMPORTS, testOf(0, 0, 0)),
        "node --test",
        "git add -A",
        "git commit --quiet --message 'Add up two numbers'",
        tick(tasksFileIn(prompt)),
      ].join(" && "),
      [
        put("README.md", "# Sums", "", "`sum(1, 2)` is 3."),
        "git add -A",
        "git commit --quiet --message 'Say how to add up'",
        tick(tasksFileIn(prompt)),
      ].join(" && "),
    ],
    answer: () => DONE,
  },
  "review-commit": {
    commands: (prompt) => [`git log --patch ${rangeIn(prompt)}`],
    answer: (printed) => (printed.includes(`+${WRONG}`) ? FOUND : PASSED),
  },
  "review-milestone": {
    commands: (prompt) => [DIFF + rangeIn(prompt)],
    answer: () => PASSED,
  },
  fix: {
    commands: () => [
      [
        put("src/sum.mjs", RIGHT),
        put("test/sum.test.mjs", IMPORTS, testOf(0, 0, 0), testOf(1, 2, 3)),
        "node --test",
      ].join(" && "),
    ],
    answer: () => `{"status":"DONE","summary":"It adds now."}`,
  },
  "verify-fix": {
    commands: (prompt) => [DIFF + rangeIn(prompt)],
    answer: (printed) => (printed.includes(`+${RIGHT}`) ? PASSED : FOUND),
  },
  test: {
    commands: () => ["node --test"],
    answer: (printed) => (/fail 0/u.test(printed) ? PASSED : "The tests fail."),
  },
};

/** The commits that a prompt asks to look at. */
function rangeIn(prompt: string): string {
  const [, from, to] = /\b([0-9a-f]{40})(?:\.\.| )([0-9a-f]{40})\b/u.exec(prompt) ?? [];
  return `${present(from, "the prompt names a range")}..${present(to, "with two ends")}`;
}
