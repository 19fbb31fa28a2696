import { expect, test } from "vitest";
import { expectComplete, FILLER, listed, promptsOf, worksIn } from "./kept-prompts.ts";

/** Twelve stories, one with more criteria than a planner would put into a milestone, and one criterion done. */
function twelveStories(): string {
  const stories = Array.from({ length: 12 }, (_, index) => {
    const id = `US-${String(index + 1).padStart(3, "0")}`;
    const criteria = Array.from({ length: index === 4 ? 7 : 2 }, (_none, number) => {
      const box = index === 0 && number === 0 ? "x" : " ";
      return `- [${box}] Criterion ${String(number + 1)} of ${id}`;
    });
    return `### ${id}: Story ${String(index + 1)}\n\n**Description:** As a user, I want ${id}.\n\n${`${FILLER} `.repeat(8)}\n\n**Acceptance Criteria:**\n\n${criteria.join("\n")}\n`;
  });
  return `# PRD: Twelve stories\n\n${FILLER}\n\n## User Stories\n\n${stories.join("\n")}`;
}

test("twelve stories are built literally, without a turn of the planner, and no prompt contains them", async () => {
  await using session = worksIn("drain: { reviewer: 5s }");
  const text = twelveStories();
  session.write("prd.md", text);
  const ended = await session.wisp("start", "prd.md");
  expect(ended.stderr).toContain("Read as 12 user stories: 12 milestones, 29 tasks");
  expect(ended.stderr).toContain('wisp: "US-005: Story 5" has 7 tasks, more than 5');
  expect(ended).toMatchObject({ code: 0 });
  const names = Array.from({ length: 12 }, (_, index) => {
    const id = `US-${String(index + 1).padStart(3, "0")}`;
    return `${id}: Story ${String(index + 1)}`;
  });
  await expectComplete(session, names);
  expect(session.read("logs/planner.log")).not.toContain(" turn.begin ");
  expect(session.read("logs/builder.log").match(/ plan\.adopt human=0 /g)).toHaveLength(1);
  expect((await listed(session)).every(({ passes }) => passes)).toBe(true);
  const sizes = promptsOf(session).map((prompt) => prompt.length);
  expect(sizes.length).toBeGreaterThan(24);
  expect(promptsOf(session).filter((prompt) => prompt.includes(FILLER))).toEqual([]);
  expect(Math.max(...sizes)).toBeLessThan(text.length);
});
