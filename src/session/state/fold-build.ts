import { present } from "../../base/assert.ts";
import type { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import type { BuilderFold } from "./builder-state.ts";
import { questionOf, type Question } from "./open-unit.ts";
import { withOwn } from "./own-commits.ts";
import type { MilestoneTicks } from "../../fs-protocol/codec/record-fields.ts";

type RecordOf<K extends BuilderRecord["kind"]> = Extract<BuilderRecord, { readonly kind: K }>;

/** Applies the end of a build attempt. */
export function foldBuildEnd(fold: BuilderFold, record: RecordOf<"build.end">): BuilderFold {
  const { m, outcome, reason } = record;
  const lastCommit = record.commits.at(-1);
  // Whatever the end, these commits are on the branch: a question may be about them, too.
  const ended = {
    ...fold,
    open: undefined,
    own: withOwn(fold.own, record.commits),
    ownEnd: lastCommit ?? fold.ownEnd,
    backed: lastCommit === undefined ? fold.backed : withMember(fold.backed, m),
  };
  if (outcome === "needs_input" || outcome === "blocked") {
    const troubles =
      reason === undefined ? fold.troubles : new Map(fold.troubles).set(m, { outcome, reason });
    return { ...ended, troubles, questions: ask(fold.questions, record) };
  }
  const counted: BuilderFold = {
    ...ended,
    ticks: withTicks(fold.ticks, record.ticks),
    buildAttempts: new Map(fold.buildAttempts).set(m, (fold.buildAttempts.get(m) ?? 0) + 1),
  };
  if (outcome === "milestone") return recordMilestones(withProgress(counted, record), record);
  if (outcome === "partial") return withProgress(counted, record);
  const trouble = { outcome, reason: reason ?? "" };
  const { unit, output } = record;
  const stalled = { ...trouble, unit, turn: fold.open?.turn };
  const red = { unit, reason: trouble.reason, output };
  return {
    ...counted,
    troubles: new Map(fold.troubles).set(m, trouble),
    reds: outcome === "unverified" ? new Map(fold.reds).set(m, red) : fold.reds,
    stalls: new Map(fold.stalls).set(m, [...(fold.stalls.get(m) ?? []), stalled]),
  };
}

/**
 * Clears the troubles of the milestone of the attempt, and of each milestone with new ticks or an
 * end.
 */
function withProgress(fold: BuilderFold, record: RecordOf<"build.end">): BuilderFold {
  const ended = record.milestones.map(({ name }) => name);
  const progressed = new Set([record.m, ...record.ticks.map(({ m }) => m), ...ended]);
  const hasProgress = (m: string) => progressed.has(m);
  return {
    ...fold,
    troubles: without(fold.troubles, hasProgress),
    stalls: without(fold.stalls, hasProgress),
    hints: without(fold.hints, hasProgress),
    reds: without(fold.reds, (m) => ended.includes(m)),
    milestoneBases: without(fold.milestoneBases, (m) => ended.includes(m)),
  };
}

/**
 * Applies the end of a hint unit. It affects only what the prompts of the next attempts contain.
 */
export function foldHintEnd(fold: BuilderFold, record: RecordOf<"hint.end">): BuilderFold {
  const { m, attempts, stalled, text } = record;
  const ended = { ...fold, open: undefined };
  if (text === undefined) {
    // An earlier hint's text is still valid.
    const before = fold.hints.get(m) ?? { m, stalled, text };
    return { ...ended, hints: new Map(fold.hints).set(m, { ...before, attempts }) };
  }
  const hint = { m, attempts, stalled, text };
  return { ...ended, hints: new Map(fold.hints).set(m, hint), lastHint: hint };
}

function withMember(members: ReadonlySet<string>, member: string): ReadonlySet<string> {
  return members.has(member) ? members : new Set(members).add(member);
}

function recordMilestones(fold: BuilderFold, record: RecordOf<"build.end">): BuilderFold {
  const last = present(record.milestones.at(-1), "a milestone outcome names its milestones");
  return {
    ...fold,
    stage: { kind: "window", openedMs: Date.parse(record.time) },
    milestones: [...fold.milestones, ...record.milestones],
    ownEnd: last.end,
    stretch: { rounds: 0, isFinal: false, spent: [], spentBefore: fold.stretch.spent },
  };
}

function withTicks(
  ticks: BuilderFold["ticks"],
  more: readonly MilestoneTicks[],
): BuilderFold["ticks"] {
  const isNew = ({ m, tasks }: MilestoneTicks) =>
    tasks.some((task) => ticks.get(m)?.has(task) !== true);
  if (!more.some(isNew)) return ticks;
  const next = new Map(ticks);
  for (const { m, tasks } of more) next.set(m, new Set([...(next.get(m) ?? []), ...tasks]));
  return next;
}

/** Adds the question with which a unit ended. */
export function ask(
  questions: readonly Question[],
  record: {
    readonly unit: string;
    readonly outcome: string;
    readonly question?: string | undefined;
    readonly ask?: string | undefined;
  },
): readonly Question[] {
  const id = present(record.question, "a question has an id");
  return [...questions, questionOf(record, { id, outcome: record.outcome })];
}

/** Removes entries from a map; returns the same map if none is removed. */
export function without<V>(
  map: ReadonlyMap<string, V>,
  isRemoved: (key: string) => boolean,
): ReadonlyMap<string, V> {
  let rest: Map<string, V> | undefined;
  for (const key of map.keys()) {
    if (!isRemoved(key)) continue;
    rest ??= new Map(map);
    rest.delete(key);
  }
  return rest ?? map;
}
