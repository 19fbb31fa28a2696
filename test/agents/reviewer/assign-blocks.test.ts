import { expect, test } from "vitest";
import { assignBlocks } from "../../../src/agents/reviewer/assign-blocks.ts";
import { describeReviewers } from "../../../src/agents/reviewer/describe-reviewers.ts";
import { decodeFindingsBlocks } from "../../../src/fs-protocol/findings/findings-block.ts";
import type { FindingsBlock } from "../../../src/fs-protocol/findings/findings-judge.ts";
import type { Reviewer } from "../../../src/settings/reviewers/reviewer.ts";
import { value } from "../../git/rig.ts";

const PASSED = "### Verdict: PASSED";
const WORK = "### Verdict: NEEDS_WORK\n\n1. **X-1**: C - Wrong\n   - Issue: It is wrong.";

function blocks(...texts: readonly string[]): readonly FindingsBlock[] {
  return value(decodeFindingsBlocks(texts.join("\n\n")));
}

function said(given: readonly FindingsBlock[], names: readonly string[]) {
  const assigned = assignBlocks(given, names);
  if (!assigned.ok) return assigned.failure.reason;
  return assigned.value.map(
    ({ name, blocks: own }) => `${name}: ${own.map(({ verdict }) => verdict).join(" ")}`,
  );
}

test("a single reviewer gets every block, whatever its heading", () => {
  expect(said(blocks(PASSED), ["tests"])).toEqual(["tests: PASSED"]);
  expect(said(blocks(`[Review] Test Expert (blocking)\n\n${WORK}`), ["tests"])).toEqual([
    "tests: NEEDS_WORK",
  ]);
});

test("with several reviewers each block goes to the one that it names", () => {
  const given = blocks(
    `[Review] Security (blocking)\n\n${WORK}`,
    `[Review] 2026-11-20 12:00 UTC - correctness (blocking)\n\n${PASSED}`,
  );
  expect(said(given, ["correctness", "security"])).toEqual([
    "correctness: PASSED",
    "security: NEEDS_WORK",
  ]);
});

test("a reviewer without a block has not passed", () => {
  const given = blocks(`[Review] correctness (blocking)\n\n${PASSED}`);
  expect(said(given, ["correctness", "security", "docs"])).toBe(
    "There is no block of security, docs.",
  );
});

test("a block of a reviewer that was not asked is refused", () => {
  const names = ["correctness", "security"];
  const stray = blocks(
    ...names.map((name) => `[Review] ${name} (blocking)\n\n${PASSED}`),
    `[Review] human (blocking)\n\n${WORK}`,
  );
  expect(said(stray, names)).toBe("There is a block of human; asked were correctness, security.");
  expect(said(blocks(PASSED), names)).toBe(
    "There is a block without a [Review] line; asked were correctness, security.",
  );
});

function reviewer(name: string): Reviewer {
  return { name, level: "blocking", when: "both", prompt: `Look for ${name}.` };
}

test("a prompt for one reviewer has its instructions; one for several also lists the headings to print", () => {
  expect(describeReviewers([reviewer("tests")])).toBe("## tests (blocking)\n\nLook for tests.");
  const both = describeReviewers([reviewer("tests"), reviewer("docs")]);
  expect(both).toContain("    [Review] tests (blocking)\n    [Review] docs (blocking)\n");
  expect(both).toContain("## docs (blocking)\n\nLook for docs.");
});

test("the headings that a prompt asks for are the ones that wisp parses", () => {
  const names = ["tests", "docs"];
  const heads = describeReviewers(names.map(reviewer)).match(/\[Review\] .*\)/g) ?? [];
  const given = blocks(...heads.map((head) => `${head}\n\n${PASSED}`));
  expect(said(given, names)).toEqual(["tests: PASSED", "docs: PASSED"]);
});
