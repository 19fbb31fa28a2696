import { shown } from "../../base/words/shown.ts";
import { describeUnit, quoted, shortSha } from "../../workspace/session/describe-unit.ts";
import { spentWords } from "../cost/cost-rows.ts";
import { inBlocks, row, span, type Row } from "../rows/row.ts";
import type { MilestoneStory } from "./milestone-story.ts";
import { itemRows, section, stepRows } from "./step-rows.ts";

/** The explanation of a milestone. */
export function milestoneRows(story: MilestoneStory): readonly Row[] {
  const { name, range, tasks, attempts, hints, commits, spent } = story;
  const boxes = tasks.map(({ text, isTicked }) => row(`[${isTicked ? "x" : " "}] ${shown(text)}`));
  const made = commits.map(({ sha, unit }) =>
    row(span("strong", shortSha(sha)), "  ", describeUnit(unit)),
  );
  return inBlocks([
    [
      row(span("strong", `Milestone ${quoted(name)}`)),
      row(
        range === null
          ? "Its end is not on record."
          : `Its range is ${shortSha(range.start)}..${shortSha(range.end)}.`,
      ),
      row(spent.turns === 0 ? "No turn for it is on record." : `It took ${spentWords(spent)}.`),
    ],
    section("Tasks", boxes, "No plan with it is on record."),
    section("Attempts", stepRows(attempts), "No attempt at it is on record."),
    section("Stuck hints", stepRows(hints)),
    section("Commits", made, "No commit of it is on record."),
    section("Verify", stepRows(story.verifies), "No run of verify at its commits is on record."),
    section("Reviews", stepRows(story.reviews), "No review of it is on record."),
    section("Test", stepRows(story.tests), "No test of it is on record."),
    section("Drain windows", stepRows(story.windows), "No end of a drain window is on record."),
    section("Fixes", stepRows(story.fixes)),
    section("Findings", itemRows(story.findings), "No finding about it is on record."),
  ]);
}
