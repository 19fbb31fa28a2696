import type { Role } from "../../base/role.ts";
import type { HomeIssue } from "../../fs-protocol/home/home-issue.ts";
import type { LogContent } from "../../fs-protocol/home/logs.ts";

/** The fields of a role's record that concern its units. */
interface UnitRecord {
  readonly kind: string;
  readonly unit?: string | undefined;
  readonly found?: string | undefined;
  readonly outcome?: string | undefined;
  readonly verdict?: string | undefined;
}

/** These records end something else: a turn, or verify at the base, which has no `unit.begin`. */
const ENDS_OF_OTHERS: readonly string[] = ["turn.end", "base.end"];

/** Whether a record of this kind ends the unit that it names. */
function endsUnit(kind: string): boolean {
  return kind === "remote.push" || (kind.endsWith(".end") && !ENDS_OF_OTHERS.includes(kind));
}

/** Outcomes that need no turn, and therefore no begin. */
const WITHOUT_TURN: readonly string[] = ["keep", "covered", "filtered", "skipped", "left"];
const QUESTIONS: readonly string[] = ["needs_input", "blocked"];

interface Open {
  readonly unit: string;
  readonly offsetBytes: number;
  /**
   * It was recovered after a restart and nothing of it was found, so another unit may start before
   * it.
   */
  readonly isRecovered: boolean;
}

/**
 * Checks that each unit of a role begins before it ends, ends once, and is not abandoned for
 * another. The last unit may stay open if the role is running (`isLive`) or the session has ended
 * (`isOver`).
 */
export function checkUnits(
  role: Role,
  { path, entries }: LogContent<UnitRecord>,
  { isLive, isOver }: { readonly isLive: boolean; readonly isOver: boolean },
): readonly HomeIssue[] {
  const issues: HomeIssue[] = [];
  const ended = new Set<string>();
  let open: Open | undefined;
  for (const { record, offsetBytes } of entries) {
    const { kind, unit } = record;
    if (unit === undefined) continue;
    if (kind === "unit.begin") {
      issues.push(...abandoned(path, open, unit));
      open = { unit, offsetBytes, isRecovered: false };
    } else if (kind === "unit.recover") {
      open = recovered(open, record);
    } else if (endsUnit(kind)) {
      issues.push(...abandoned(path, open, unit));
      const problem = endProblem(record, open?.unit === unit, ended.has(unit));
      issues.push(...(problem === undefined ? [] : [{ kind: problem, path, offsetBytes, unit }]));
      // After a question, the same unit starts and ends again.
      ended.add(isOneOf(record, QUESTIONS) ? "" : unit);
      open = undefined;
    }
  }
  if (open === undefined || isLive || isOver) return issues;
  const { unit, offsetBytes } = open;
  return [...issues, { kind: "unit-interrupted", path, offsetBytes, unit, role }];
}

function recovered(open: Open | undefined, { unit, found }: UnitRecord): Open | undefined {
  return open?.unit === unit ? open && { ...open, isRecovered: found === "nothing" } : open;
}

function abandoned(path: string, open: Open | undefined, next: string): readonly HomeIssue[] {
  if (open === undefined || open.unit === next || open.isRecovered) return [];
  const { unit, offsetBytes } = open;
  return [{ kind: "unit-left", path, offsetBytes, unit, next }];
}

function endProblem(
  record: UnitRecord,
  isOpen: boolean,
  isEnded: boolean,
): "unit-ended-twice" | "unit-without-begin" | undefined {
  if (isEnded) return "unit-ended-twice";
  return isOpen || isOneOf(record, WITHOUT_TURN) ? undefined : "unit-without-begin";
}

function isOneOf({ outcome, verdict }: UnitRecord, words: readonly string[]): boolean {
  const word = outcome ?? verdict;
  return word !== undefined && words.includes(word);
}
