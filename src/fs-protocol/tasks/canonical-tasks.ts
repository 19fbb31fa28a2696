import { scanTasks, type TasksScan } from "./tasks-scan.ts";
import type { TextRange } from "./tasks-sections.ts";

/**
 * Rewrites the heading of each milestone of a plan as `## Milestone: <name>` and leaves all other
 * bytes as they are, so that readers of a staged plan need to know one form only. If this would
 * change the plan's meaning, because the level of a heading matters to what follows it, the text
 * stays unchanged.
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
  return contentOf(scanTasks(canonical)) === contentOf(scan) ? canonical : text;
}

/** Whether a milestone's heading is in the form that wisp writes. */
export function isCanonical(text: string, { start, end }: TextRange): boolean {
  return /^##[ \t]+Milestone:/.test(text.slice(start, end));
}

/** A plan's content, independent of its position in the text. */
function contentOf({ milestones, problems }: TasksScan): string {
  const content = milestones.map(({ name, tasks }) => [
    name,
    tasks.map(({ text, steps, ticked }) => [text, steps, ticked]),
  ]);
  return JSON.stringify([content, problems.length]);
}
