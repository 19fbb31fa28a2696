import { scanTasks, type TasksScan } from "./tasks-scan.ts";
import type { TextRange } from "./tasks-sections.ts";

/**
 * A plan with the heading of each milestone as wisp writes it, `## Milestone: <name>`, and otherwise byte for
 * byte as it is: whoever looks for milestones in what is staged finds them by one form. Where the level of a
 * heading matters to what stands below, so that the plan would become another one, the text stays.
 */
export function canonicalTasks(text: string): string {
  const scan = scanTasks(text);
  if (scan.milestones.every(({ heading }) => isCanonical(text, heading))) return text;
  let canonical = "";
  let at = 0;
  for (const { name, heading } of scan.milestones) {
    canonical += text.slice(at, heading.start);
    canonical += isCanonical(text, heading)
      ? text.slice(heading.start, heading.end)
      : `## Milestone: ${name}`;
    at = heading.end;
  }
  canonical += text.slice(at);
  return saidBy(scanTasks(canonical)) === saidBy(scan) ? canonical : text;
}

/** Whether a milestone's heading has the form in which wisp writes them. */
export function isCanonical(text: string, { start, end }: TextRange): boolean {
  return /^##[ \t]+Milestone:/.test(text.slice(start, end));
}

/** All that a plan says, wherever in the text. */
function saidBy({ milestones, problems }: TasksScan): string {
  const said = milestones.map(({ name, tasks }) => [
    name,
    tasks.map(({ text, steps, ticked }) => [text, steps, ticked]),
  ]);
  return JSON.stringify([said, problems.length]);
}
