import { present } from "../../base/assert.ts";
import { need } from "../../base/fatal.ts";
import { FINDING_TEXT_CHARS_MAX } from "../../base/limits.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { findingId } from "../../fs-protocol/findings/finding-id.ts";
import type { FixVerdict } from "../../fs-protocol/findings/findings-block.ts";
import type { Computed, Finding, Level } from "../../fs-protocol/records/finding.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { Attempted } from "../../work/unit.ts";
import { askedByFixes } from "../integrity/asked-by-fixes.ts";
import { changedTests, type ChangedTests } from "../integrity/changed-tests.ts";
import type { FindAgain, FoundIn } from "./evidence-rule.ts";

// What the rules about a range share: the form of their findings, and how they look again.

/** The reviewer in whose name these findings are recorded, and who closes them. */
const REVIEWER = "tests";
const CATEGORY = "Tests";

/** Tells the builder whom to ask if the finding contradicts the request. */
export const BY_COMPUTING =
  "wisp looks again by itself: if the request asks for it, change nothing and say where it does, for a person to dismiss this.";

export interface RangeFindingParts extends Pick<
  Finding,
  "file" | "line" | "brief" | "issue" | "suggestion"
> {
  readonly of: Computed["of"];
  readonly range: FoundIn;
  readonly level?: Level;
  readonly anchor: string;
}

/** A finding in the name of the reviewer `tests`; its id is computed from `anchor`, file and brief. */
export function rangeFinding({
  of,
  range: { start, end, m },
  level = "blocking",
  file,
  line,
  anchor,
  brief,
  issue,
  suggestion,
}: RangeFindingParts): Finding {
  const short = cleanText(brief, { charsMax: BRIEF_CHARS_MAX, lines: "one" });
  const content = { kind: "finding", category: CATEGORY, file, anchor, brief: short } as const;
  return {
    id: findingId(content),
    level,
    reviewer: REVIEWER,
    category: CATEGORY,
    brief: short,
    file: file !== undefined && file.length <= FILE_CHARS_MAX ? file : undefined,
    line,
    issue: cleanText(issue, { charsMax: FINDING_TEXT_CHARS_MAX, lines: "many" }),
    suggestion,
    computed: { of, start, end, m },
  };
}

const BRIEF_CHARS_MAX = 300;
const FILE_CHARS_MAX = 1_000;

/** "1 test", "2 tests". */
export function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** How a finding about a range was computed. */
export function computedOf({ item }: Pick<FindAgain, "item">): Computed {
  return present(item.computed, "a finding of a rule about ranges was computed");
}

/** What changed of the tests from the start of a finding's range to `end`. */
export async function changedSince(
  { session, clone }: RoleContext<"reviewer">,
  again: Pick<FindAgain, "item">,
  end: Oid,
): Promise<ChangedTests> {
  const { start } = computedOf(again);
  return need(await changedTests(await clone(), { start, end }, session));
}

/**
 * The texts that may ask for changes to tests from the start of a finding's range to `at`: the milestone's tasks, and
 * findings that wisp did not compute and whose fixes are in it.
 */
export function tasksSince(state: SessionState, again: FindAgain): readonly string[] {
  const { m, start } = computedOf(again);
  const tasks = state.builder.plan.find(({ name }) => name === m)?.tasks ?? [];
  const range = { start, end: again.at };
  return [...tasks, ...askedByFixes(state, range, (item) => item.computed === undefined)];
}

/** Looked at again, the finding holds no more. */
export function closedAt(at: Oid, what: string): Attempted<FixVerdict> {
  const reason = `wisp looked again at ${abbreviate(at)}: ${what}`;
  return { kind: "done", value: { kind: "closed", reason } };
}

/** Looked at again, the finding still holds. */
export function reopenedAt(at: Oid, what: string): Attempted<FixVerdict> {
  const reason = `wisp looked again at ${abbreviate(at)}, and it is still so:\n${what}`;
  return { kind: "done", value: { kind: "reopened", reason } };
}
