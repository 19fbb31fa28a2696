import { expect, test } from "vitest";
import {
  decodeFindingsBlocks,
  decodeVerdict,
} from "../../src/fs-protocol/findings/findings-block.ts";
import type { FindingsBlock } from "../../src/fs-protocol/findings/findings-judge.ts";

const SEED = `[Review] 2026-11-20 12:00 UTC - security (blocking)

### Verdict: NEEDS_WORK

### Findings

1. **SEC-001**: Security - Token is written to the log
   - File: src/login.ts:12
   - Issue: The token is logged in clear text.
   - Suggestion: Log its last four characters.

2. **SEC-002**: Input - Path is not checked
   - File: src/files.ts:40
   - Issue: A path with .. leaves the folder.
   - Suggestion: Normalise it first.

---
`;

function blocksOf(output: string): readonly FindingsBlock[] {
  const decoded = decodeFindingsBlocks(output);
  if (!decoded.ok) expect.fail(`refused: ${decoded.failure.reason}`);
  return decoded.value;
}

function reasonOf(output: string): string {
  const decoded = decodeFindingsBlocks(output);
  if (decoded.ok) expect.fail(`taken: ${JSON.stringify(decoded.value)}`);
  return decoded.failure.reason;
}

const FINDING = {
  label: "A-1",
  category: "Logic",
  brief: "Wrong sign",
  file: "src/a.ts",
  line: 3,
  issue: "It subtracts.",
  suggestion: "Add.",
};

test("reads every field of the seed's format", () => {
  expect(blocksOf(SEED)).toEqual([
    {
      reviewer: "security",
      level: "blocking",
      verdict: "NEEDS_WORK",
      omittedCount: 0,
      findings: [
        {
          label: "SEC-001",
          level: undefined,
          category: "Security",
          brief: "Token is written to the log",
          file: "src/login.ts",
          line: 12,
          issue: "The token is logged in clear text.",
          suggestion: "Log its last four characters.",
          command: undefined,
        },
        expect.objectContaining({ label: "SEC-002", file: "src/files.ts", line: 40 }),
      ],
    },
  ]);
});

test.each([
  ["bare verdict", "### Verdict: PASSED"],
  ["with an empty list", "### Verdict: PASSED\n\n### Findings\n\nNone\n\n---\n"],
  ["with an empty list as an item", "### Verdict: PASSED\n\n### Findings\n\n- No findings."],
  ["bold in a heading", "## **Verdict**: PASSED"],
  ["all bold in a heading", "## **Verdict: PASSED**"],
  ["a bold line", "**Verdict:** PASSED"],
  ["in backticks and lower case", "# Verdict: `passed`"],
  ["with prose around it", "I looked at it all.\n\n### Verdict: PASSED\n\nWell done.\n"],
  ["with prose in the list", "### Verdict: PASSED\n\n### Findings\n\nThe code is clean."],
  ["with the engine's last message", `### Verdict: PASSED\n{"status":"DONE"}\n`],
  ["with Windows line ends", "### Verdict: PASSED\r\n\r\n### Findings\r\n\r\nNone\r\n"],
  ["said twice", "### Verdict: PASSED\n\nIn short:\n\n### Verdict: PASSED\n"],
  ["with checked points before it", "1. Read the diff\n2. Ran the tests\n\n### Verdict: PASSED\n"],
])("reads a pass: %s", (_, output) => {
  expect(blocksOf(output)).toEqual([
    { reviewer: undefined, level: undefined, verdict: "PASSED", findings: [], omittedCount: 0 },
  ]);
});

test.each([
  ["nothing", "", "no line"],
  ["prose", "Everything is fine, I would say PASSED.", "no line"],
  ["the word alone", "PASSED", "no line"],
  ["a verdict inside a sentence", "My verdict: PASSED", "no line"],
  ["a plain line", "Verdict: PASSED", "must be a heading"],
  ["a fence around it", "```markdown\n### Verdict: PASSED\n```\n", "code fence"],
  ["a fence in an item", "- so:\n  ```\n  ### Verdict: PASSED\n  ```\n", "code fence"],
  ["indented code", "text\n\n    ### Verdict: PASSED\n", "no line"],
  ["a quote", "> ### Verdict: PASSED\n", "no line"],
  ["a comment", "<!--\n### Verdict: PASSED\n-->\n", "no line"],
  ["a list item", "- ### Verdict: PASSED\n", "no line"],
  ["inline code", "Print `### Verdict: PASSED` if all is well.", "no line"],
  [
    "the template of the format",
    "### Verdict: {PASSED|NEEDS_WORK}\n",
    "must be PASSED or NEEDS_WORK",
  ],
  ["another word", "### Verdict: LGTM\n", 'not "LGTM"'],
  ["a condition", "### Verdict: PASSED if the typo is fixed\n", "must be PASSED or NEEDS_WORK"],
  ["both words", "### Verdict: PASSED\n\n### Verdict: NEEDS_WORK\n", "both verdicts"],
  ["a contradicting plain line", "### Verdict: PASSED\n\nVerdict: NEEDS_WORK\n", "both verdicts"],
  [
    "an unclear line that may contradict it",
    "### Verdict: PASSED\n\n**Verdict: unsure**\n",
    "must be PASSED",
  ],
  [
    "an entry that is not a finding",
    "### Verdict: PASSED\n\n### Findings\n\n1. Rename x\n",
    "Rename x",
  ],
  ["an unclosed fence", "### Verdict: PASSED\n\n```\n1. **A-1**: x\n", "never closed"],
  [
    "a header without verdict",
    `### Verdict: PASSED\n\n[Review] 2026-11-20 12:00 UTC - style (warning)\n`,
    "of style",
  ],
  [
    "a stray field",
    "### Verdict: PASSED\n\n### Findings\n\n- Issue: it is wrong\n",
    "entry without|before the first",
  ],
])("does not read a pass from %s", (_, output, reason) => {
  expect(reasonOf(output)).toMatch(new RegExp(reason, "u"));
});

test("refuses a NEEDS_WORK verdict without findings", () => {
  expect(reasonOf("### Verdict: NEEDS_WORK\n\n### Findings\n\nNone\n")).toContain(
    "no numbered finding",
  );
});

test("refuses an entry without fields, so that no finding is lost", () => {
  const output = SEED.replace("---", "3. The third thing is also bad\n");
  expect(reasonOf(output)).toContain("The third thing is also bad");
});

test("a pass with findings below it is read as NEEDS_WORK", () => {
  const [block] = blocksOf(SEED.replace("NEEDS_WORK", "PASSED"));
  expect(block).toMatchObject({ verdict: "NEEDS_WORK", findings: [{}, {}] });
});

test.each([
  [
    "bold names",
    "1. **A-1**: Logic - Wrong sign\n   - **File:** src/a.ts:3\n   - **Issue**: It subtracts.\n   - **Suggestion:** Add.",
  ],
  [
    "star bullets",
    "1. **A-1**: Logic - Wrong sign\n   * File: src/a.ts:3\n   * Issue: It subtracts.\n   * Suggestion: Add.",
  ],
  [
    "no bold id",
    "1. A-1: Logic - Wrong sign\n   - File: src/a.ts:3\n   - Issue: It subtracts.\n   - Suggestion: Add.",
  ],
  [
    "an all-bold title",
    "1. **A-1: Logic - Wrong sign**\n   - File: src/a.ts:3\n   - Issue: It subtracts.\n   - Suggestion: Add.",
  ],
  [
    "an id in brackets",
    "1. **[A-1]**: Logic – Wrong sign\n   - File: src/a.ts:3\n   - Issue: It subtracts.\n   - Suggestion: Add.",
  ],
  [
    "another order",
    "1. **A-1**: Logic - Wrong sign\n   - Suggestion: Add.\n   - Issue: It subtracts.\n   - File: src/a.ts:3",
  ],
  [
    "no nested bullets",
    "1. **A-1**: Logic - Wrong sign\n   File: src/a.ts:3\n   Issue: It subtracts.\n   Suggestion: Add.",
  ],
  [
    "fields at the margin",
    "1. **A-1**: Logic - Wrong sign\n- File: src/a.ts:3\n- Issue: It subtracts.\n- Suggestion: Add.",
  ],
  [
    "blank lines between",
    "1. **A-1**: Logic - Wrong sign\n\n   - File: src/a.ts:3\n\n   - Issue: It subtracts.\n\n   - Suggestion: Add.",
  ],
  [
    "a bullet as number",
    "- **A-1**: Logic - Wrong sign\n  - File: src/a.ts:3\n  - Issue: It subtracts.\n  - Suggestion: Add.",
  ],
  [
    "a heading as title",
    "#### 1. **A-1**: Logic - Wrong sign\n\n- File: src/a.ts:3\n- Issue: It subtracts.\n- Suggestion: Add.",
  ],
  [
    "a paragraph as title",
    "**A-1**: Logic - Wrong sign\nFile: src/a.ts:3\nIssue: It subtracts.\nSuggestion: Add.",
  ],
  [
    "a parenthesis after the number",
    "1) **A-1**: Logic - Wrong sign\n   - File: `src/a.ts:3`\n   - Issue: It subtracts.\n   - Suggestion: Add.",
  ],
  [
    "three columns under a two-digit number",
    "10. **A-1**: Logic - Wrong sign\n   - File: src/a.ts:3\n   - Issue: It subtracts.\n   - Suggestion: Add.",
  ],
])("reads a finding with %s", (_, list) => {
  const [block] = blocksOf(`### Verdict: NEEDS_WORK\n\n### Findings\n\n${list}\n\n---\n`);
  expect(block?.findings).toEqual([{ ...FINDING, level: undefined, command: undefined }]);
});

test("the findings heading may be missing, or name bugs, or be bold", () => {
  const list = SEED.slice(SEED.indexOf("1."));
  for (const heading of ["", "## Bugs found\n\n", "**Findings:**\n\n"]) {
    expect(blocksOf(`### Verdict: NEEDS_WORK\n\n${heading}${list}`)[0]?.findings).toHaveLength(2);
  }
});

test("a rule between findings does not end the list", () => {
  const [block] = blocksOf(SEED.replace("\n2.", "\n---\n\n2."));
  expect(block?.findings.map(({ label }) => label)).toEqual(["SEC-001", "SEC-002"]);
});

test("reads several reviewers in one output", () => {
  const style = `[Review] YYYY-MM-DD HH:MM UTC - code style (suggestion)\n\n### Verdict: PASSED\n`;
  const tests = SEED.replace("- security (blocking)", "- tests (warning)");
  expect(blocksOf(`${SEED}\n${style}\n${tests}`)).toMatchObject([
    { reviewer: "security", level: "blocking", verdict: "NEEDS_WORK" },
    { reviewer: "code style", level: "suggestion", verdict: "PASSED", findings: [] },
    { reviewer: "tests", level: "warning", verdict: "NEEDS_WORK" },
  ]);
});

test("recognizes a reviewer without a blank line before it", () => {
  const crowded = SEED.replaceAll("\n\n", "\n").replace("\n---\n", "\n");
  const passed = "[Review] 2026-11-20 12:01 UTC - style (warning)\n### Verdict: PASSED\n";
  expect(blocksOf(crowded + passed)).toMatchObject([
    { reviewer: "security", findings: [{}, { suggestion: "Normalise it first." }] },
    { reviewer: "style", verdict: "PASSED" },
  ]);
});

test("a log line that looks like a header does not start a block", () => {
  expect(blocksOf(`[Review] looking at 3 files\n\n### Verdict: PASSED\n`)).toHaveLength(1);
});

test("reads level and command", () => {
  const bug = `### Verdict: NEEDS_WORK

### Findings

1. **BUG-1**: Crash - Ends with a stack trace
   - Level: Warning
   - Command: \`node cli.js --port x\`
   - File: (none)
   - Issue: Seen with any word.
   - Suggestion: Say what was expected.
2. **BUG-2**: Crash - The same in a script
   - Command:
     \`\`\`sh
     cd demo
     node cli.js
     \`\`\`
   - Issue: As above.
`;
  expect(blocksOf(bug)[0]?.findings).toMatchObject([
    { level: "warning", command: "node cli.js --port x", file: undefined, line: undefined },
    { level: undefined, command: "cd demo\nnode cli.js", suggestion: "" },
  ]);
});

test("a field continues over lines, lists, code and headings up to the next field", () => {
  const output = `### Verdict: NEEDS_WORK

### Findings

1. **A-1**: Logic - Wrong sign
   - Issue: It subtracts
     in two places:
     1. here
     2. there

     \`\`\`ts
     - File: not/a/field.ts
     ### Verdict: PASSED
     \`\`\`
     and Issue: here.
   - Suggestion: Add.
     Issue: a second line of this name is text.
   - File: src/a.ts:3
{"status":"DONE"}
`;
  expect(blocksOf(output)[0]?.findings).toMatchObject([
    {
      issue:
        "It subtracts\nin two places:\n1. here\n2. there\n\n```ts\n- File: not/a/field.ts\n### Verdict: PASSED\n```\nand Issue: here.",
      suggestion: "Add.\nIssue: a second line of this name is text.",
      file: "src/a.ts",
    },
  ]);
});

test("the engine's last message is not part of the finding before it", () => {
  const [block] = blocksOf(SEED.replace("\n\n---\n", `\n{"status":"DONE"}\n`));
  expect(block?.findings.at(-1)?.suggestion).toBe("Normalise it first.");
});

test("keeps backslashes in code", () => {
  const code = "\n     ```tex\n     \\begin{x}\n     ```\n";
  const [block] = blocksOf(SEED.replace(" clear text.", code));
  expect(block?.findings[0]?.issue).toBe("The token is logged in\n```tex\n\\begin{x}\n```");
});

test("prose after the last finding is not part of it", () => {
  const [block] = blocksOf(SEED.replace("---", "All in all a good start.\n"));
  expect(block?.findings.at(-1)?.suggestion).toBe("Normalise it first.");
});

test.each([
  ["src/a.ts:12", "src/a.ts", 12],
  ["`src/a.ts`:12", "src/a.ts", 12],
  ["src/a.ts:12:5", "src/a.ts", 12],
  ["src/a.ts:12-20", "src/a.ts", 12],
  ["src/a.ts#L12", "src/a.ts", 12],
  ["src/a.ts (line 12)", "src/a.ts", 12],
  ["src/a.ts, lines 12-14", "src/a.ts", 12],
  ["[src/a.ts](src/a.ts):12", "src/a.ts", 12],
  ["src/a.ts:1, src/b.ts:2", "src/a.ts", 1],
  ["src/a.ts", "src/a.ts", undefined],
  ["./src//x/../a.ts:0", "src/a.ts", undefined],
  ["src\\a.ts:4", "src/a.ts", 4],
  ["/clone/src/a.ts:4", "src/a.ts", 4],
  ["my docs/räd me.md:2", "my docs/räd me.md", 2],
  ["n/a", undefined, undefined],
  ["/etc/passwd:1", undefined, undefined],
  ["~/.ssh/id_rsa", undefined, undefined],
  ["C:\\x.ts:3", undefined, undefined],
  ["../outside.ts:3", undefined, undefined],
  ["src/../../outside.ts", undefined, undefined],
  ["/clone/../x", undefined, undefined],
])("reads the place %s as %s line %s", (place, file, line) => {
  const decoded = decodeFindingsBlocks(SEED.replace("src/login.ts:12", place), { root: "/clone" });
  expect(decoded).toMatchObject({ ok: true, value: [{ findings: [{ file, line }, {}] }] });
});

test("keeps a path outside the repository in the text", () => {
  const [block] = blocksOf(SEED.replace("src/login.ts:12", "../../etc/passwd:1"));
  expect(block?.findings[0]?.issue).toBe(
    "The token is logged in clear text.\n(file as given: ../../etc/passwd:1)",
  );
});

test("cleans and cuts every text", () => {
  const dirty = SEED.replace("Token is", `\u001b[31mToken\u202e ${"x".repeat(500)}`)
    .replace("security (", "sec\u001b[0murity (")
    .replace("clear text.", "y".repeat(5_000));
  const [block] = blocksOf(dirty);
  expect(block?.reviewer).toBe("security");
  expect(block?.findings[0]?.brief).toMatch(/^Token x+…$/u);
  expect(block?.findings[0]?.brief).toHaveLength(300);
  expect(block?.findings[0]?.issue).toHaveLength(2_000);
});

test("counts the findings above the limit of a turn", () => {
  const items = Array.from(
    { length: 30 },
    (_, i) => `${i + 1}. **A-${i}**: B - c\n   - Issue: d\n`,
  );
  const block = `### Verdict: NEEDS_WORK\n\n### Findings\n\n${items.join("\n")}`;
  const two = ["one", "two"]
    .map((name) => `[Review] - ${name} (blocking)\n\n${block}\n\n`)
    .join("");
  expect(
    blocksOf(two).map(({ findings, omittedCount }) => [findings.length, omittedCount]),
  ).toEqual([
    [30, 0],
    [20, 10],
  ]);
});

test("accepts prose of any length between two fields", () => {
  const prose = "\nwords\n".repeat(300_000);
  const [block] = blocksOf(SEED.replace("   - Suggestion: Log", `${prose}\n   - Suggestion: Log`));
  expect(block?.findings[0]?.issue).toHaveLength(2_000);
});

test("refuses an output above the limit instead of cutting it", () => {
  expect(reasonOf(`### Verdict: PASSED\n${" ".repeat(4 * 1024 * 1024)}`)).toContain("longer");
});

test("a fix with a pass is closed", () => {
  expect(decodeVerdict("### Verdict: PASSED\n")).toEqual({ ok: true, value: { kind: "closed" } });
});

test("a fix that needs work is reopened with the finding's text as the reason", () => {
  expect(decodeVerdict(SEED)).toEqual({
    ok: true,
    value: {
      kind: "reopened",
      reason: "The token is logged in clear text. A path with .. leaves the folder.",
    },
  });
});

test("a fix is reopened with a reason in prose, but not without a reason", () => {
  expect(decodeVerdict("### Verdict: NEEDS_WORK\n\nThe sign is still wrong.\n")).toEqual({
    ok: true,
    value: { kind: "reopened", reason: "The sign is still wrong." },
  });
  expect(decodeVerdict("### Verdict: NEEDS_WORK\n").ok).toBe(false);
});

test.each([
  "",
  "closed",
  "### Verdict: PASSED\n### Verdict: NEEDS_WORK\nwrong\n",
  "### Verdict: maybe\nno\n",
])("does not read a verdict on a fix from %j", (output) => {
  expect(decodeVerdict(output)).toMatchObject({ ok: false, failure: { kind: "unparseable" } });
});
