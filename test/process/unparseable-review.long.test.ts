import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { needsWork, on, oneTask, put, replaySession } from "../rig/replay-session.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/** One task; the reviewer's first answer about its milestone is `first`, the second `second`. */
function answers(first: string, second: string) {
  return [
    ...oneTask("Say hello", put("hello.txt", "hullo one\n")),
    on({ purpose: "review-milestone", ask: 1 }, { print: first }),
    on({ purpose: "review-milestone", ask: 2 }, { print: second }),
    on({ purpose: "fix" }, put("hello.txt", "hello one\n")),
  ];
}

/** A verdict in a fence, and PASSED in a sentence: neither is a pass. */
const UNPARSEABLE = [
  "```markdown",
  "### Verdict: PASSED",
  "```",
  "All in all PASSED, but:",
  "1. **X-1**: it says hullo",
].join("\n");

const FINDING = needsWork({ file: "hello.txt", brief: "It says hullo" });

test("a reviewer whose findings do not parse is asked again, and its findings are fixed by the first attempt", async () => {
  await using session = replaySession({ turns: answers(UNPARSEABLE, FINDING) });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const fixes = [...history.builder.fold.fixes.values()].flat();
  expect(fixes.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([[1, "fixed"]]);
  const turns = session.read("logs/reviewer.log").match(/turn\.begin .*purpose=review-milestone/g);
  expect(turns).toHaveLength(2);
});

test("findings that do not parse are no pass: the review gives up, and the session ends stuck with that reason", async () => {
  await using session = replaySession({
    config: "attempts: { unit: 1 }\n",
    turns: answers(UNPARSEABLE, UNPARSEABLE),
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 5 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(lastEndOf(history.builder.fold)).toMatchObject({ how: "stuck" });
  expect(lastEndOf(history.builder.fold)?.reason).toContain("gave up");
  const review = history.reviewer.records.find(
    (record) => record.kind === "review.end" && record.m === "One",
  );
  expect(review).toMatchObject({ outcome: "gaveup", findings: [] });
  const entries = session.read("PROGRESS.txt").split(/^(?=\[)/mu);
  const ofReviewers = entries.filter((entry) => /^\[Review\] (?!.* - tester )/u.test(entry));
  expect(ofReviewers).toEqual([]);
});
