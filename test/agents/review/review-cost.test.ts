import { join } from "node:path";
import { expect, test } from "vitest";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import { DEFAULT_POLICY } from "../../rig/default-policy.ts";
import { commit, inProcessSession, put } from "../../rig/in-process-session.ts";
import { writeFileSync } from "node:fs";
import { DONE, PASSED, tick } from "./rig.ts";
import { lastEndOf } from "../../../src/session/state/stage.ts";

/**
 * The cost of reviews in a small session: two milestones of four and three commits, one finding and its fix, and the
 * six shipped reviewers.
 */

/** Input tokens that a coding CLI adds to every turn: its own system prompt and its tools, as measured. */
const OVERHEAD_TOKENS = 13_000;
const CHARS_PER_TOKEN = 4;

const TASKS = { One: ["a", "b", "c", "d"], Two: ["e", "f", "g"] } as const;
const PLAN = Object.entries(TASKS)
  .map(
    ([name, tasks]) =>
      `## Milestone: ${name}\n\n${tasks.map((t) => `- [ ] Write ${t}`).join("\n")}\n`,
  )
  .join("\n");

/** All reviewers in a prompt pass, but the first has a finding in the first milestone. */
function review({ prompt, milestone }: TurnRequest, isFirst: boolean): TurnOutcome {
  const heads = [...prompt.matchAll(/^ {4}(\[Review\] .*)$/gmu)].map(([, head = ""]) => head);
  const blocks = (heads.length === 0 ? [""] : heads).map((head, index) => {
    const finds = milestone === "One" && isFirst && index === 0;
    return `${head}\n\n${finds ? FOUND : "### Verdict: PASSED\n\n### Findings\n\nNone\n"}`;
  });
  return { ...DONE, text: blocks.join("\n") };
}

const FOUND = `### Verdict: NEEDS_WORK

### Findings

1. **COR-1**: Correctness - It is wrong
   - File: a.txt:1
   - Issue: It says the wrong thing.
   - Suggestion: Say the right thing.
`;

interface Cost {
  readonly turns: number;
  readonly reviewTurns: number;
  readonly reviewTokens: number;
  readonly tokens: number;
}

async function costOf(perCommit: number, batch: number | "auto"): Promise<Cost> {
  using session = inProcessSession({
    policy: { reviewPerCommit: perCommit },
    review: { batch, parallel: 1 },
    reviewers: join(import.meta.dirname, "../../../templates/reviewers"),
  });
  const asked: TurnRequest[] = [];
  const isReview = ({ purpose }: TurnRequest) => purpose.startsWith("review-");
  await session.runAll((request) => {
    asked.push(request);
    const { purpose, cwd, milestone } = request;
    if (purpose === "plan") writeFileSync(request.tasksFile ?? "", PLAN);
    if (purpose === "build" && (milestone === "One" || milestone === "Two")) {
      for (const name of TASKS[milestone]) {
        put(cwd, `${name}.txt`, `${name}\n`);
        commit(cwd, `Write ${name}`);
        tick(request, `Write ${name}`);
      }
    }
    if (purpose === "fix") put(cwd, "a.txt", "right\n");
    const earlier = asked.filter((one) => one.purpose === purpose && one.milestone === milestone);
    if (isReview(request)) return review(request, earlier.length === 1);
    return purpose === "plan" || purpose === "build" || purpose === "fix" ? DONE : PASSED;
  });
  const { builder, branch, reviewer } = await session.state();
  expect(lastEndOf(builder)?.how).toBe("complete");
  expect(reviewer.checkpoint).toBe(branch.head);
  expect(branch.commits).toHaveLength(8);
  const tokensOf = (turns: readonly TurnRequest[]) =>
    turns.reduce((sum, { prompt }) => sum + OVERHEAD_TOKENS + prompt.length / CHARS_PER_TOKEN, 0);
  const reviews = asked.filter(isReview);
  return {
    turns: asked.length,
    reviewTurns: reviews.length,
    reviewTokens: Math.round(tokensOf(reviews)),
    tokens: Math.round(tokensOf(asked)),
  };
}

test("reviews of a small session take at most half of the turns and input tokens of one review per commit and reviewer", async () => {
  const before = await costOf(0, 1);
  const after = await costOf(DEFAULT_POLICY.reviewPerCommit ?? 0, "auto");
  console.log("one by one", before, "as shipped", after);
  expect(before).toMatchObject({ turns: 27, reviewTurns: 19 });
  expect(after).toMatchObject({ turns: 10, reviewTurns: 2 });
  expect(after.reviewTokens).toBeLessThanOrEqual(before.reviewTokens / 2);
  expect(after.tokens).toBeLessThanOrEqual(before.tokens / 2);
});
