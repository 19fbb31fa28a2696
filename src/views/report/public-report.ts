import { costLines, factLines, foundLines, milestoneLines } from "./report-markdown.ts";
import type { ReportView } from "./report-view.ts";

/**
 * The parts of the report that may leave the machine, as the lines of a section of a pull request: without what went
 * wrong, which holds engines' output, and without what changed in the repository.
 */
export function publicReport(view: ReportView): readonly string[] {
  const parts = [
    ["Milestones", milestoneLines(view)],
    ["Findings and bugs", foundLines(view)],
    ["Cost", costLines(view)],
  ] as const;
  const shown = parts
    .filter(([, lines]) => lines.length > 0)
    .flatMap(([title, lines]) => ["", `### ${title}`, "", ...lines]);
  return [...factLines(view), ...shown];
}
