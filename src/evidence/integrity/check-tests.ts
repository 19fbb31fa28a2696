import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { clip } from "../../work/clip.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { asksAt, type AsksOfUnknown } from "../look/unknown-question.ts";
import { countedTests, verifiedEnds } from "../harness/test-counts.ts";
import { RANGE_RULES } from "../rules/all-rules.ts";
import type { SeenRange } from "../rules/evidence-rule.ts";
import { splitTestWords, trySplits, type SplitTest } from "../look/try-splits.ts";
import { redAtBase } from "../verify/red-at-base.ts";
import { askedByFixes } from "./asked-by-fixes.ts";
import { changedTests } from "./changed-tests.ts";
import { uncomparedWords } from "./left-out.ts";
import { runsOfJudges } from "./run-old-tests.ts";
import { redBefore, tryOldTests, waysToRun } from "./try-old-tests.ts";

/** A range of commits whose tests are checked. */
export interface TestRange {
  /** Key of the open unit, for the records of what was run. */
  readonly unit: string;
  readonly start: Oid;
  readonly end: Oid;
  /** Name of the milestone. */
  readonly m: string;
  /** Texts of the milestone's tasks: changes to tests that they ask for are allowed. */
  readonly tasks: readonly string[];
}

export type TestsCheck =
  | {
      readonly kind: "checked";
      /** What was done to tests and their settings, for the prompt of the reviewer `tests`; "" if nothing. */
      readonly evidence: string;
      /**
       * Findings that need no reviewer's judgement, in the name of the reviewer `tests`. All are blocking,
       * except those about new tests that check nothing. Their ids are the same when the check is repeated. The
       * caller must record them in the unit's `end` record together with the reviewers' findings, without
       * checking their places.
       */
      readonly findings: readonly Finding[];
      /** What people should know besides; no engine is asked about it. */
      readonly notes: readonly string[];
    }
  | AsksOfUnknown
  | { readonly kind: "stopped" };

/** The version of the protocol from which on records name the rule about unsteady tests. */
const UNSTEADY_SINCE = 3;

/** Bounds the texts of projects and programs, so that they cannot crowd out the rest of the prompt. */
const EVIDENCE_CHARS_MAX = 8_000;

/**
 * Checks what a range did to the tests: tests that vanished or check less, settings that let more pass, and
 * whether the tests from the start of the range still pass at its end.
 *
 * Reads commits of the role's clone, whose work tree it leaves alone: must be awaited after `unit.begin` and before
 * turns begin in the clone. Results of commands are recorded and reused for the same trees. Never fails because a
 * project's tests cannot be run: the evidence then reports that.
 */
export async function checkTests(
  context: RoleContext<"reviewer">,
  state: SessionState,
  range: TestRange,
): Promise<TestsCheck> {
  const { session } = context;
  const { start, end } = range;
  const tasks = [...range.tasks, ...askedByFixes(state, range)];
  const clone = await context.clone();
  need(await clone.bring(end));
  const changed = need(await changedTests(clone, range, session));
  const ends = await verifiedEnds(session, state, clone, range);
  const ways = session.verify.length === 0 ? [] : waysToRun(changed, tasks);
  const before = async () => redBefore(await redAtBase(context, state), [ends.start, ends.end]);
  const tried = await tryOldTests(context, runsOfJudges(state), {
    ...{ unit: range.unit, start, end, changed, ways, before },
    isSoleJudge: false,
  });
  if (tried.kind === "unknown") return asksAt(end, tried.reason);
  if (tried.kind === "stopped") return tried;
  const counted = once(() => countedTests(context, ends));
  const split = { start: ends.start?.split ?? [], end: ends.end?.split ?? [] };
  const splits = await trySplits(context, state, { start, end, split });
  if (splits === "stopped") return { kind: "stopped" };
  // A reader of an older version does not know the rule.
  const isRule = session.version >= UNSTEADY_SINCE;
  const found = splits.filter(({ verdict }) => isRule && verdict.kind !== "before");
  const told = splits.filter((each) => !found.includes(each));
  const seen: SeenRange = { range, tasks, changed, counted, tries: tried.tries, splits: found };
  const evidence = joined(RANGE_RULES.map((rule) => rule.describe(seen)));
  const findings = RANGE_RULES.flatMap((rule) => rule.find(seen));
  return { kind: "checked", evidence, findings, notes: notesOf(seen, told) };
}

function notesOf(
  { changed: { uncompared }, range: { m } }: SeenRange,
  told: readonly SplitTest[],
): readonly string[] {
  const words = uncomparedWords(uncompared);
  return [
    ...(words === "" ? [] : [clip(`Check in "${m}": ${words}`)]),
    ...told.map((each) => clip(`Check in "${m}": ${splitTestWords(each)}`)),
  ];
}

function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: read() }).value;
}

function joined(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== "").join("\n\n");
  return cleanText(text, { charsMax: EVIDENCE_CHARS_MAX, lines: "many" });
}
