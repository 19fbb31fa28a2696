import { replacedCommands } from "../../src/session/commands/commands-in-force.ts";
import type { Oid } from "../../src/base/oid.ts";
import type { BuilderRecord, EndedMilestone } from "../../src/fs-protocol/records/builder-log.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../src/session/state/builder-state.ts";
import type { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { foldBuilder } from "../../src/session/state/fold-builder.ts";
import { encodeKeyPart } from "../../src/fs-protocol/tasks/milestone-name.ts";
import type { Policy } from "../../src/fs-protocol/home/policy.ts";
import type { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import type { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { placeOf } from "../../src/session/state/session-state.ts";
import type { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { repeated, type Broken } from "./broken.ts";
import { momentBroken } from "./builder-moment.ts";
import { endingBroken, openRoles } from "./ending-checks.ts";
import type { History } from "./history.ts";
import { itemsBroken } from "./item-checks.ts";
import { builds, worksIn } from "./names.ts";
import { checkpointBroken } from "./review-checks.ts";

/**
 * Checks all invariants of a session's records, which hold at any moment: the checks below,
 * each record of builder.log in order, and, if the session has ended, its end. Undefined: no invariant is broken.
 */
export function checkHistory(history: History, policy: Policy): Broken | undefined {
  for (const { check } of HISTORY_CHECKS) {
    const broken = check(history, policy);
    if (broken !== undefined) return broken;
  }
  const { builder, human, planner, branch } = history;
  const foreign = branch.records.filter(({ unit }) => unit === undefined).length;
  let before: BuilderFold = EMPTY_BUILDER;
  for (const record of builder.records) {
    const after = foldBuilder(before, record, policy);
    const broken = momentBroken({ before, record, after }, { human, planner, policy, foreign });
    if (broken !== undefined) return broken;
    before = after;
  }
  return endingBroken(history, openRoles(history), policy);
}

/** A check with the logs that it reads, so that a caller with many histories need not check the same logs twice. */
export interface HistoryCheck {
  readonly reads: readonly (keyof History)[];
  readonly check: (history: History, policy: Policy) => Broken | undefined;
}

export const HISTORY_CHECKS: readonly HistoryCheck[] = [
  { reads: ["branch"], check: workedTwice },
  { reads: ["planner"], check: ({ planner }) => endedTwice(planner.records) },
  {
    reads: ["reviewer"],
    check: ({ reviewer: { records } }) => judgedTwice(records) ?? endedTwice(records),
  },
  {
    reads: ["tester"],
    check: ({ tester: { records } }) => judgedTwice(records) ?? endedTwice(records),
  },
  {
    reads: ["builder"],
    check: ({ builder: { records } }) => endedTwice(records) ?? attemptsBroken(records),
  },
  { reads: ["builder", "human"], check: baseUnheeded },
  { reads: ["builder", "human"], check: commandsBroken },
  { reads: ["builder", "branch"], check: (history) => rangesBroken(history) ?? notOwn(history) },
  { reads: ["builder", "branch", "reviewer"], check: checkpointBroken },
  {
    reads: ["builder", "branch", "reviewer"],
    check: ({ builder, branch, reviewer }) =>
      itemsBroken({ opener: "reviewer", builder: builder.fold, branch, judge: reviewer }),
  },
  {
    reads: ["builder", "branch", "tester"],
    check: ({ builder, branch, tester }) =>
      itemsBroken({ opener: "tester", builder: builder.fold, branch, judge: tester }),
  },
];

/** I4: no unit's work is committed twice. */
function workedTwice({ branch }: History): Broken | undefined {
  const works = branch.records.flatMap(({ work }) => (work === undefined ? [] : worksIn(work)));
  return repeated(works, { invariant: "I4", what: "the same work committed twice" });
}

type EndRecord = BuilderRecord | PlannerRecord | ReviewerRecord | TesterRecord;

/** I4: a unit that has ended is never run again, unless it ended with a question. */
function endedTwice(records: readonly EndRecord[]): Broken | undefined {
  const units = records.flatMap(endedUnit);
  return repeated(units, { invariant: "I4", what: "a unit that ended twice" });
}

function endedUnit(record: EndRecord): readonly string[] {
  switch (record.kind) {
    case "plan.end":
    case "build.end":
    case "hint.end":
    case "fix.end":
    case "review.end":
    case "test.end":
    case "final.end":
      return ["needs_input", "blocked"].includes(record.outcome) ? [] : [record.unit];
    case "verify.end":
      return ["needs_input", "blocked"].includes(record.verdict) ? [] : [record.unit];
    case "adopt.end":
      return [`record ${String(record.human)} of human.log`];
    default:
      return [];
  }
}

/** I5: each attempt at a finding has the next number, alone or in a batch. */
function attemptsBroken(records: readonly BuilderRecord[]): Broken | undefined {
  const tried = new Map<string, number>();
  for (const record of records) {
    if (record.kind !== "fix.end" || ["needs_input", "blocked"].includes(record.outcome)) continue;
    for (const id of [record.id, ...(record.also ?? []).map((other) => other.id)]) {
      const expected = (tried.get(id) ?? 0) + 1;
      if (record.attempt !== expected) {
        const what = `attempt ${expected} at ${id} is on record as ${record.attempt}`;
        return { invariant: "I5", what };
      }
      tried.set(id, expected);
    }
  }
  return undefined;
}

/** I3: one ended review and one ended test per milestone. */
function judgedTwice(records: readonly (ReviewerRecord | TesterRecord)[]): Broken | undefined {
  const names = records.flatMap((record) => {
    if (record.kind === "test.end" && ["tested", "skipped"].includes(record.outcome))
      return record.m;
    if (record.kind !== "review.end" || record.m === undefined) return [];
    return ["reviewed", "covered", "filtered"].includes(record.outcome) ? record.m : [];
  });
  return repeated(names, { invariant: "I3", what: "a milestone reviewed or tested twice" });
}

/**
 * I1: ranges are contiguous, and a turn that ends one milestone has commits. A milestone that a person ticked has no
 * turn.
 */
function rangesBroken({ builder, branch }: History): Broken | undefined {
  let end = branch.fold.base;
  for (const record of builder.records) {
    if (record.kind !== "build.end") continue;
    for (const milestone of record.milestones) {
      const isLonger = placeOf(branch.fold, milestone.end) > placeOf(branch.fold, milestone.start);
      const isTurn = record.ticks.length + record.commits.length > 0;
      const mayBeEmpty = !isTurn || record.milestones.length > 1 || isBefore(branch, milestone);
      if (milestone.start !== end || (!isLonger && !mayBeEmpty)) {
        return { invariant: "I1", what: `the range of ${milestone.name} is not contiguous` };
      }
      end = milestone.end;
    }
  }
  return undefined;
}

/**
 * Whether its commits came before another milestone ended, because it was set aside meanwhile; or it has none, and
 * was built together with earlier work.
 */
function isBefore({ fold, records }: History["branch"], { name, start }: EndedMilestone): boolean {
  const unit = `build:${encodeKeyPart(name)}:`;
  const own = records.filter(
    (commit) => builds(commit.work, name) || commit.unit?.startsWith(unit) === true,
  );
  const isBuilt = (commit: (typeof records)[number]) =>
    commit.unit?.startsWith("build:") === true && placeOf(fold, commit.sha) <= placeOf(fold, start);
  if (own.length === 0) return records.some(isBuilt);
  return own.every(({ sha }) => placeOf(fold, sha) <= placeOf(fold, start));
}

/** I14: the commits that a unit names as its own are those that it published. */
function notOwn({ builder, branch }: History): Broken | undefined {
  const units = new Map(branch.records.map(({ sha, unit }) => [sha, unit]));
  for (const record of builder.records) {
    for (const { sha, unit } of claims(record)) {
      const publisher = units.get(sha);
      if (units.has(sha) && (publisher === undefined || publisher === unit)) continue;
      return { invariant: "I14", what: `${unit} ends with a commit of ${publisher ?? "nobody"}` };
    }
  }
  return undefined;
}

/**
 * I18: if verify is red at the base, no plan is carried out before a person accepts that, in answer to the question about it
 * or by name in the settings, or verify has another result there. Before version 3, what is red by name is no question.
 */
function baseUnheeded({ builder, human }: History, { redBase }: Policy): Broken | undefined {
  // Without verify there is nothing to check.
  if (!builder.records.some(({ kind }) => kind === "verify.result")) return undefined;
  let base: "unknown" | "red" | "settled" = "unknown";
  let asked: string | undefined;
  let isNamed = false;
  for (const record of builder.records) {
    switch (record.kind) {
      case "verify.result":
        if (record.outcome === "passed") base = "settled";
        else if (record.failing === undefined) base = "red";
        else base = redBase === undefined ? "settled" : "red";
        isNamed = isAnswered(record.failing, redBase);
        break;
      case "base.end": {
        const { outcome, question, by } = record;
        asked = question ?? asked;
        if (outcome === "judged" && base === "red")
          return { invariant: "I18", what: "a base counts as judged, and verify is red there" };
        if (outcome !== "accepted") break;
        if (by !== asked || !(isNamed || isAccepted(human.records, by)))
          return { invariant: "I18", what: "a red base is accepted, and nobody said so" };
        base = "settled";
        break;
      }
      case "plan.adopt":
      case "build.end":
      case "hint.end":
      case "unit.begin":
        // A person's plan may come into force meanwhile.
        if (record.kind === "plan.adopt" && record.human !== undefined) break;
        if (base !== "red") return undefined;
        return { invariant: "I18", what: `${record.kind} over a red base` };
      default:
    }
  }
  return undefined;
}

/** Whether the settings, the command line or earlier sessions have the answer to a red base. */
function isAnswered(failing: readonly string[] | undefined, redBase: Policy["redBase"]): boolean {
  if (redBase?.accept === true) return true;
  const known = [...(redBase?.known ?? []), ...(redBase?.remembered ?? [])];
  return failing?.every((name) => known.includes(name)) ?? false;
}

/** The first answer to a question counts, and only the word itself. */
function isAccepted(records: readonly HumanRecord[], question: string | undefined): boolean {
  const first = records.find((record) => record.kind === "answer" && record.question === question);
  return first?.kind === "answer" && first.text.trim().toLowerCase() === "accept";
}

/** The commands that the first adoption on record put in force. */
function adoptedIn(records: readonly BuilderRecord[]) {
  const first = records.find((record) => record.kind === "verify.adopt");
  if (first?.kind !== "verify.adopt") return {};
  const { setup, build, verify } = first;
  return { setup, build, verify };
}

/**
 * I18: other commands than those of session.json are in force only by the first answer to a question about the base which
 * waited for a person, so before a unit of the plan began, and which does not accept the base as it is; or because a
 * milestone brought them, the first time.
 */
function commandsBroken({ builder, human }: History): Broken | undefined {
  const bases = builder.records.flatMap((record) => (record.kind === "base.end" ? [record] : []));
  const settled = bases.flatMap(({ by, how }) => (how === undefined ? [] : [by]));
  const asked = bases.flatMap(({ question }) => (settled.includes(question) ? [] : [question]));
  const brought = asked.flatMap((question) => {
    const answers = human.records.flatMap((one) => (one.kind === "answer" ? [one] : []));
    const first = answers.find((one) => one.question === question);
    const isAccept = first?.text.trim().toLowerCase() === "accept";
    return first?.settings === undefined || isAccept ? [] : [first.settings];
  });
  const inForce = replacedCommands({ builder: builder.fold, human: human.fold });
  const expected = { ...brought.at(-1), ...adoptedIn(builder.records) };
  if (JSON.stringify(inForce) === JSON.stringify(expected)) return undefined;
  return { invariant: "I18", what: "commands are in force that no answer about the base brought" };
}

function claims(record: BuilderRecord): readonly { readonly sha: Oid; readonly unit: string }[] {
  if (record.kind === "build.end") {
    return record.commits.map((sha) => ({ sha, unit: record.unit }));
  }
  if (record.kind !== "fix.end" || record.outcome !== "fixed" || record.sha === undefined)
    return [];
  return [{ sha: record.sha, unit: record.unit }];
}
