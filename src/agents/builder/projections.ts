import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import { encodeDone, type DoneLine } from "../../fs-protocol/projections/builder-done.ts";
import type { BuilderRecord, EndedMilestone } from "../../fs-protocol/records/builder-log.ts";
import { attemptsMaxOf, isSpent, type BuilderFold } from "../../session/state/builder-state.ts";
import { encodeBaseline } from "../../fs-protocol/projections/baseline-block.ts";
import { encodeDivergence } from "../../fs-protocol/records/divergence.ts";
import {
  encodeFix,
  encodeFixFailed,
  encodeFixWord,
} from "../../fs-protocol/projections/fix-entries.ts";
import { encodeResumed, encodeStuckEnd } from "../../fs-protocol/projections/story-entries.ts";
import { parentHome, planPath, revisionName, type Home } from "../../fs-protocol/home/home.ts";
import { encodeMilestone } from "../../fs-protocol/projections/milestones-log.ts";
import { encodeRevision } from "../../fs-protocol/projections/revisions-log.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { replaceTicks } from "../../fs-protocol/tasks/tasks-ticks.ts";
import { encodeStuckHint } from "../../session/state/stuck-hint.ts";
import type { Project, Projection } from "../../home/projector.ts";

/** What is written from the builder's journal to milestones.log, builder.done, PROGRESS.txt and other files. */
export function builderProjections(
  home: Home,
  { policy, parent, progress }: Pick<SessionJson, "policy" | "parent" | "progress">,
): Project<BuilderRecord, BuilderFold> {
  const done = (line: DoneLine): Projection => ({ path: home.builderDone, text: encodeDone(line) });
  const milestone = (ended: EndedMilestone): Projection => ({
    path: home.milestones,
    text: encodeMilestone(ended),
  });
  return (record, before, after) => {
    const n = before.finalN;
    switch (record.kind) {
      case "build.end":
        return after.milestones.slice(before.milestones.length).map(milestone);
      case "final.open":
        return [done({ kind: "final", n: record.n, sha: record.at })];
      case "done":
        return [
          done(endLine(record, n)),
          ...revisionEntry(home, { parent, record, before }),
          ...stuckEntry(home, { progress }, record),
        ];
      case "reopen":
        if (before.stage.kind !== "done") return [];
        return [
          done({ kind: "reopened", n, sha: before.stage.end.head, reason: record.by }),
          ...resumedEntry(home, { policy, progress }, record),
        ];
      case "fix.end":
        return fixEntries(home, { policy, progress }, record, after);
      case "divergence":
        return [{ path: home.changes, text: encodeDivergence("builder", record, progress) }];
      case "verify.result":
        return baselineEntry(home, record, before.baseline !== after.baseline);
      default:
        return [];
    }
  };
}

function endLine(
  { how, head: sha, reason }: Extract<BuilderRecord, { kind: "done" }>,
  n: number,
): DoneLine {
  return how === "complete" ? { kind: how, n, sha } : { kind: how, n, sha, reason };
}

/** The entry in the parent's log when a revision is complete for the first time. */
function revisionEntry(
  home: Home,
  {
    parent,
    record,
    before,
  }: {
    readonly parent: SessionJson["parent"];
    readonly record: Extract<BuilderRecord, { kind: "done" }>;
    readonly before: BuilderFold;
  },
): readonly Projection[] {
  if (record.how !== "complete" || parent === undefined || before.wasComplete) return [];
  const text = encodeRevision({
    number: parent.revision,
    completedAt: record.time,
    itemCount: before.plan.length,
    path: revisionName(parent.revision),
  });
  return [{ path: parentHome(home).revisions, text }];
}

function stuckEntry(
  { progress: path }: Home,
  { progress }: Pick<SessionJson, "progress">,
  { time, how, reason }: Extract<BuilderRecord, { kind: "done" }>,
): readonly Projection[] {
  if (how !== "stuck" || progress === undefined) return [];
  return [{ path, text: encodeStuckEnd({ time, reason }) }];
}

function resumedEntry(
  { progress: path }: Home,
  { policy, progress }: Pick<SessionJson, "policy" | "progress">,
  { time }: Extract<BuilderRecord, { kind: "reopen" }>,
): readonly Projection[] {
  if (progress === undefined) return [];
  const text = encodeResumed({ time, attempts: policy.fixAttemptsMax });
  return [{ path, text }];
}

type FixEnd = Extract<BuilderRecord, { kind: "fix.end" }>;

/** An entry for each finding of the fix. */
function fixEntries(
  home: Home,
  session: Pick<SessionJson, "policy" | "progress">,
  record: FixEnd,
  after: BuilderFold,
): readonly Projection[] {
  const items = [{ id: record.id, brief: record.brief }, ...(record.also ?? [])];
  return items.flatMap(({ id, brief }): readonly Projection[] => {
    const isLast = isSpent(after, id, session.policy);
    const attemptsMax = attemptsMaxOf(after, id, session.policy);
    const text = fixEntry(session, record, { id, brief, isLast, attemptsMax });
    return text === undefined ? [] : [{ path: home.progress, text }];
  });
}

interface FixedItem {
  readonly id: string;
  readonly brief: string;
  /** Whether it gets no further attempt. */
  readonly isLast: boolean;
  /** Counted from its first attempt, with those that a reopen granted. */
  readonly attemptsMax: number;
}

/** In the first form of PROGRESS.txt a fix is described by the title of its item, and only the last failure is listed. */
function fixEntry(
  { policy, progress }: Pick<SessionJson, "policy" | "progress">,
  { time, by: reviewer, attempt, outcome, files, reason = "" }: FixEnd,
  { id, brief, isLast, attemptsMax }: FixedItem,
): string | undefined {
  const isWhole = progress !== undefined;
  const max = isWhole ? attemptsMax : policy.fixAttemptsMax;
  const entry = { time, reviewer, id, attempt, attemptsMax: max };
  switch (outcome) {
    case "fixed":
      return encodeFix({ ...entry, fixed: isWhole && reason !== "" ? reason : brief, files });
    case "failed":
      if (!isWhole && !isLast) return undefined;
      return encodeFixFailed({ ...entry, issue: brief, reason, ...(isLast ? {} : { isLast }) });
    case "nochange":
      return isWhole ? encodeFixWord("Unchanged", { ...entry, issue: brief, reason }) : undefined;
    case "needs_input":
    case "blocked":
      return undefined;
  }
}

/** The entry with the tests that were red before any work, for which nothing is blamed; it is written once. */
function baselineEntry(
  { progress }: Home,
  { time, outcome, failing = [] }: Extract<BuilderRecord, { kind: "verify.result" }>,
  isBase: boolean,
): readonly Projection[] {
  if (!isBase || outcome === "passed") return [];
  return [{ path: progress, text: encodeBaseline({ time, failing }) }];
}

/**
 * Writes TASKS.md: the plan in force with the accepted ticks. It is written as a whole, because it is a pure function
 * of the journal and the staged plan. Returns its text.
 */
export function writeTasks(files: Files, home: Home, fold: BuilderFold): string {
  const before = need(files.read(home.tasks));
  const present = before === undefined ? undefined : new TextDecoder().decode(before);
  const plan =
    fold.planSha === undefined ? undefined : need(files.read(planPath(home, fold.planSha)));
  if (plan === undefined) return present ?? "";
  const text = replaceTicks(new TextDecoder().decode(plan), fold.ticks);
  if (present !== text) need(files.replace(home.tasks, Buffer.from(text)));
  return text;
}

/** Writes `.stuck-hint.md`: the latest hint, which stays until there is another one. */
export function writeStuckHint(
  files: Files,
  home: Home,
  { lastHint }: Pick<BuilderFold, "lastHint">,
): void {
  const text = lastHint && encodeStuckHint(lastHint);
  if (text === undefined) return;
  const bytes = Buffer.from(text);
  const present = need(files.read(home.stuckHint));
  if (present === undefined || !bytes.equals(present)) need(files.replace(home.stuckHint, bytes));
}
