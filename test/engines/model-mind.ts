import { present } from "../../src/base/assert.ts";
import { readLastMessage } from "../../src/fs-protocol/findings/last-message.ts";
import type { Said, Step } from "../rig/model-server.ts";
import { driverOf, type Call, type CliDriver } from "./cli-drivers.ts";
import type { Installed } from "./installed.ts";
import { WORDS } from "./sights.ts";

/** One step of a model: a command in the CLI's shell, or a call of its own tool for files. */
type Act =
  | { readonly run: string }
  | { readonly read: string }
  | { readonly write: string; readonly text: string };

/** What a model does with a prompt after reading the files that it names, and its answer to the output. */
export interface Play {
  readonly acts: (prompt: string, printed: readonly string[]) => readonly Act[];
  readonly answer: (printed: string, prompt: string) => string;
}

/** The script for each kind of prompt. */
export interface Mind {
  readonly plan: Play;
  readonly build: Play;
  readonly "review-commit": Play;
  readonly "review-milestone": Play;
  readonly fix: Play;
  readonly "verify-fix": Play;
  readonly test: Play;
}

/** The text by which each kind of prompt is recognized. */
const ASKS: Readonly<Record<keyof Mind, RegExp>> = {
  plan: /^You are the planner of this repository/mu,
  build: /Build the milestone/u,
  "review-commit": /You review commit/u,
  "review-milestone": /You review the milestone/u,
  fix: /Fix this one finding/u,
  "verify-fix": /You opened this finding/u,
  test: /You are the tester of this repository/u,
};

/**
 * A model that works like a real one: it reads the request that the prompt names with the CLI's own tool and with its
 * shell, and the range if there is one; it tries a forbidden call, and continues; then it does what it is asked for.
 *
 * @param driver how the model calls the CLI's tools
 * @param whenRead called with the kind of a prompt when the request has reached the model in both ways
 */
export function modelOf(
  cli: Installed,
  mind: Partial<Mind>,
  whenRead: (kind: keyof Mind) => void = () => undefined,
  driver: CliDriver = driverOf(cli),
): (said: readonly Said[]) => Step {
  return (said) => {
    const at = said.findLastIndex(({ by, text }) => by === "person" && kindOf(text) !== undefined);
    const prompt = said[at]?.text ?? "";
    const kind = present(kindOf(prompt), "wisp asks for what it has a template for");
    const play = present(mind[kind], `the model can ${kind}`);
    const printed = said.slice(at + 1).flatMap(({ by, text }) => (by === "tool" ? [text] : []));
    const reads = firstReads(prompt);
    const acts = [...reads, ...play.acts(prompt, printed.slice(reads.length))];
    const act = acts[printed.length];
    if (act !== undefined) return { text: "I will.", tools: [callOf(driver, act)] };
    expectRead(reads, printed);
    whenRead(kind);
    const text = play.answer(printed.join("\n"), prompt);
    return driver.word !== undefined && WORD_ALONE.has(kind)
      ? { tools: [driver.word(wordIn(text))] }
      : { text };
  };
}

/** A file of the machine that is useless for the work: most CLIs do not allow their tools to read it. */
const ELSEWHERE = "/etc/hostname";

/** The calls by which a model first reads what its prompt names, and one file that it may not read. */
function firstReads(prompt: string): readonly Act[] {
  const request = present(namedIn(prompt, "request.md"), "the prompt names the request");
  const range = namedIn(prompt, "range.diff");
  return [
    { read: request },
    { run: `cat '${request}'` },
    ...(range === undefined ? [] : [{ read: range }]),
    { read: ELSEWHERE },
  ];
}

/** The absolute path of a file that a prompt names. */
function namedIn(prompt: string, name: string): string | undefined {
  const paths = [...prompt.matchAll(/`(\/[^`]+)`/gu)].flatMap(([, path = ""]) => path);
  return paths.find((path) => path.endsWith(`/${name}`));
}

/** Fails if the output shows that the model could not read what its prompt names. */
function expectRead(reads: readonly Act[], printed: readonly string[]): void {
  const isRead =
    (word: string) =>
    (text = "") =>
      text.includes(word);
  const request = printed.slice(0, 2);
  if (!request.every(isRead(WORDS.request))) fault("the request", request);
  const range = printed.slice(2, reads.length - 1);
  if (!range.every(isRead("diff --git "))) fault("its range", range);
}

function fault(what: string, printed: readonly string[]): never {
  throw new Error(`the model could not read ${what}: ${printed.join(" / ")}`);
}

function callOf({ shell, read, write }: CliDriver, act: Act): Call {
  if ("run" in act) return shell(act.run);
  return "read" in act ? read(act.read) : write(act.write, act.text);
}

/** Prompts that are answered with a last message only. */
const WORD_ALONE: ReadonlySet<keyof Mind> = new Set(["plan", "build", "fix"]);

/** In the strict form of the schema, in which no field is omitted. */
function wordIn(answer: string): object {
  const { status, summary, question = null, error = null } = readLastMessage(answer);
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

const SUMS_PLAN = [
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

/** The sum subtracts, which its own test does not detect. */
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

/** A command that outlasts concurrent turns, and uses files that they must not remove. */
const TAKES_ITS_TIME =
  `node -e "const fs = require('fs'), mine = process.env.TMPDIR + '/mine'; fs.writeFileSync(mine, 'it is still there'); ` +
  `setTimeout(() => console.log(fs.readFileSync(mine, 'utf8')), 1500)"`;

/**
 * The verdict of reviewers whose commands ran: a block for each reviewer that the prompt names. One of them reports
 * the defect, and not again while the finding is open.
 */
function verdict(printed: string, prompt: string): string {
  if (!printed.includes("it is still there")) return "My commands did not work.";
  const isOpen = prompt.includes("The sum subtracts");
  const found = printed.includes(`+${WRONG}`) && !isOpen ? FOUND : PASSED;
  const heads = [...prompt.matchAll(/^ {4}(\[Review\] (\S+) .*)$/gmu)];
  if (heads.length === 0) return found;
  return heads
    .map(([, head = "", name = ""]) => `${head}\n${name === "correctness" ? found : PASSED}`)
    .join("\n");
}

/** The clone's path according to its shell: `pwd` was run first. */
function cloneIn(printed: readonly string[]): string {
  return /\/\S*\/clone\S*/u.exec(printed[0] ?? "")?.[0] ?? "/nowhere";
}

/** The only task of a milestone. */
export const HELLO: Partial<Mind> = {
  build: {
    acts: (prompt) => [
      {
        run: [
          "echo hello > hello.txt",
          "git add hello.txt",
          "git commit --quiet --message 'Say hello'",
          tick(tasksFileIn(prompt)),
        ].join(" && "),
      },
    ],
    answer: () => DONE,
  },
};

/**
 * One milestone of two tasks, which begins with a file in the wrong place; its first commit has a defect, which the
 * review finds and a fix removes.
 */
export const SUMS: Mind = {
  plan: {
    acts: (prompt) => [{ run: put(`'${tasksFileIn(prompt)}'`, ...SUMS_PLAN.split("\n")) }],
    answer: () => DONE,
  },
  build: {
    acts: (prompt, printed) => [
      { run: "pwd" },
      { write: `${cloneIn(printed)}/sum.mjs`, text: WRONG },
      {
        run: [
          "mkdir -p src test",
          // It is in the wrong place.
          "mv sum.mjs src/sum.mjs",
          put("test/sum.test.mjs", IMPORTS, testOf(0, 0, 0)),
          "node --test",
          "git add -A",
          "git commit --quiet --message 'Add up two numbers'",
          tick(tasksFileIn(prompt)),
        ].join(" && "),
      },
      {
        run: [
          put("README.md", "# Sums", "", "`sum(1, 2)` is 3."),
          "git add -A",
          "git commit --quiet --message 'Say how to add up'",
          tick(tasksFileIn(prompt)),
        ].join(" && "),
      },
    ],
    answer: () => DONE,
  },
  "review-commit": {
    acts: (prompt) => [{ run: DIFF + rangeIn(prompt) }, { run: TAKES_ITS_TIME }],
    answer: verdict,
  },
  "review-milestone": {
    acts: (prompt) => [{ run: DIFF + rangeIn(prompt) }, { run: TAKES_ITS_TIME }],
    answer: verdict,
  },
  fix: {
    acts: () => [
      {
        run: [
          put("src/sum.mjs", RIGHT),
          put("test/sum.test.mjs", IMPORTS, testOf(0, 0, 0), testOf(1, 2, 3)),
          "node --test",
        ].join(" && "),
      },
    ],
    answer: () => `{"status":"DONE","summary":"It adds now."}`,
  },
  "verify-fix": {
    acts: (prompt) => [{ run: DIFF + rangeIn(prompt) }],
    answer: (printed) => (printed.includes(`+${RIGHT}`) ? PASSED : FOUND),
  },
  test: {
    acts: () => [{ run: "node --test" }],
    answer: (printed) => (/fail 0/u.test(printed) ? PASSED : "The tests fail."),
  },
};

/** The commits that a prompt asks to look at. */
function rangeIn(prompt: string): string {
  const [, from, to] = /\b([0-9a-f]{40})(?:\.\.| )([0-9a-f]{40})\b/u.exec(prompt) ?? [];
  return `${present(from, "the prompt names a range")} ${present(to, "with two ends")}`;
}
