import type { Oid } from "../../base/oid.ts";
import type { BuilderRecord, EndedMilestone } from "../../fs-protocol/records/builder-log.ts";
import type { HomeIssue, HomeProblem } from "../../fs-protocol/home/home-issue.ts";
import type { LogContent } from "../../fs-protocol/home/logs.ts";

/**
 * Checks that the recorded milestones are contiguous ranges starting at the base, and that each is
 * planned and recorded once.
 */
export function checkRanges(
  { path, entries }: LogContent<BuilderRecord>,
  base: Oid,
): readonly HomeIssue[] {
  const issues: HomeIssue[] = [];
  const recorded = new Set<string>();
  let planned: ReadonlySet<string> = new Set();
  let expected: string = base;
  for (const { record, offsetBytes } of entries) {
    if (record.kind === "plan.adopt") planned = new Set(record.milestones.map(({ name }) => name));
    if (record.kind !== "build.end") continue;
    for (const milestone of record.milestones) {
      const problems = problemsOf(milestone, { expected, recorded, planned });
      issues.push(...problems.map((problem) => ({ ...problem, path, offsetBytes })));
      recorded.add(milestone.name);
      expected = milestone.end;
    }
  }
  return issues;
}

interface Before {
  readonly expected: string;
  readonly recorded: ReadonlySet<string>;
  readonly planned: ReadonlySet<string>;
}

function problemsOf(
  { name: milestone, start }: EndedMilestone,
  { expected, recorded, planned }: Before,
): readonly HomeProblem[] {
  return [
    ...(start === expected ? [] : [{ kind: "range-broken" as const, milestone, start, expected }]),
    ...(recorded.has(milestone) ? [{ kind: "milestone-twice" as const, milestone }] : []),
    ...(planned.has(milestone) ? [] : [{ kind: "milestone-not-planned" as const, milestone }]),
  ];
}
