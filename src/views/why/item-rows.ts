import { cleanText } from "../../base/words/clean-text.ts";
import { shown } from "../../base/words/shown.ts";
import { inBlocks, row, span, type Row } from "../rows/row.ts";
import { fileAndLine } from "../status/open-items.ts";
import type { ItemStory } from "./item-story.ts";
import { section, stepRows } from "./step-rows.ts";

/** The explanation of a finding or bug. */
export function itemStoryRows(story: ItemStory): readonly Row[] {
  const { finding, kind, state, openings, fixes, rechecks, decisions } = story;
  const { id, level, brief, category, reviewer, issue, command } = finding;
  const at = fileAndLine(finding);
  const [opening, ...again] = openings;
  return inBlocks([
    [
      row(
        span("strong", `${kind === "bug" ? "Bug" : "Finding"} ${shown(id)}`),
        "  ",
        span(state === "open" ? "bad" : "good", state),
        `  ${shown(brief)}`,
      ),
      row(
        span(
          "faint",
          `${level}, ${shown(category)}, by ${shown(reviewer)}${at === "" ? "" : `, at ${shown(at)}`}`,
        ),
      ),
    ],
    section("Issue", textRows(issue)),
    section("Command that shows it", textRows(command ?? "")),
    section("Opened", opening === undefined ? [] : stepRows([opening]), "Not on record."),
    section("Found again", stepRows(again)),
    section("Fixes", stepRows(fixes), "No attempt at a fix is on record."),
    section("Judged by its opener", stepRows(rechecks), "No judgement of a fix is on record."),
    section("Dismissed", stepRows(decisions)),
  ]);
}

function textRows(text: string): readonly Row[] {
  const clean = cleanText(text, { charsMax: Number.MAX_SAFE_INTEGER, lines: "many" });
  return clean === "" ? [] : clean.split("\n").map((line) => row(line));
}
