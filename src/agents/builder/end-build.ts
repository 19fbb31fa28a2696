import type { Oid } from "../../base/oid.ts";
import type { PushIntent } from "../../session/state/builder-state.ts";
import {
  currentMilestone,
  isLastAttempt,
  setAside,
  stalledAttempts,
} from "../../session/rules/build-order.ts";
import type { BuilderRecord, EndedMilestone } from "../../fs-protocol/records/builder-log.ts";
import { foldBuilder } from "../../session/state/fold-builder.ts";
import type { MilestoneTicks } from "../../fs-protocol/codec/record-fields.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { withRefusals } from "../../work/turn/name-refusals.ts";
import { publishUnit } from "../../work/publish-unit.ts";
import type { Unfiltered } from "../../work/unfiltered.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { clip } from "../../work/clip.ts";
import { adoptVerify } from "../../evidence/verify/adopt-verify.ts";
import { saveAsking, saveFailed } from "./attempt.ts";
import { rangesOf } from "./split-milestones.ts";
import { questionFields } from "../../work/unit.ts";
import { unknownQuestion } from "../../evidence/look/unknown-question.ts";
import { failureLine } from "../../evidence/verify/failure-report.ts";
import { isAcceptable } from "../../evidence/verify/verify-at.ts";

/** A build unit that is being worked on. */
export interface BuildUnit {
  readonly key: string;
  readonly milestone: string;
  readonly base: Oid;
  /** Why boxes that its turn ticked do not count; absent if all count. */
  readonly refusal?: string;
}

/** What a turn claims to have done, before it is checked. */
export type BuildClaim = Omit<PushIntent, "shas">;

/**
 * Publishes the unit's commits, then ends it. A conflict that cannot be resolved counts as no progress. If nothing has to
 * be verified, the end follows the publishing at once, so both are one append: every append wakes all other processes.
 */
export async function publishBuild(
  context: RoleContext<"builder">,
  state: SessionState,
  unit: BuildUnit,
  claim: BuildClaim,
): Promise<void> {
  const { journal } = context;
  const clone = await context.clone();
  const endsAtOnce = claim.splits.length === 0;
  const published = await publishUnit(context, {
    unit: unit.key,
    clone,
    intend: (shas) => {
      journal.append({
        kind: "push.intent",
        time: journal.time(),
        unit: unit.key,
        shas: [...shas],
        ticks: [...claim.ticks],
        splits: [...claim.splits],
      });
    },
    announce: (head, shas) => {
      const done = { kind: "push.done", time: journal.time(), unit: unit.key, sha: head } as const;
      if (endsAtOnce) endIncomplete(context, state, unit, { ...claim, shas, before: [done] });
      else journal.append(done);
    },
  });
  switch (published.kind) {
    case "stopped":
      return;
    case "conflict":
      await noProgress(
        context,
        state,
        unit,
        "conflict: the commits do not fit on the branch any more",
      );
      return;
    case "refused":
      await noProgress(context, state, unit, published.reason);
      return;
    case "unfiltered":
      await endUnfiltered(context, state, unit, published);
      return;
    case "published":
      if (!endsAtOnce) await endBuild(context, state, unit, { ...claim, shas: published.shas });
  }
}

/** Ends an attempt that made what only a person may commit; after the last one, a person is asked. */
async function endUnfiltered(
  context: RoleContext<"builder">,
  state: SessionState,
  unit: BuildUnit,
  { reason, question }: Unfiltered,
): Promise<void> {
  if (!isLastAttempt(state.builder, unit.milestone, state.policy)) {
    await noProgress(context, state, unit, reason);
    return;
  }
  const asked = { kind: "needs-input", question } as const;
  const asking = await saveAsking(context, state, asked, "what it had done");
  appendEnd(context, state, { ...buildEnd(context, unit, []), ...asking });
}

/**
 * Ends a unit whose commits are on the branch: runs verify if a milestone would be complete, then appends one
 * record with the whole outcome. If verify is worse than before, the commits stay, but the ticks do not count.
 */
export async function endBuild(
  context: RoleContext<"builder">,
  state: SessionState,
  unit: BuildUnit,
  intent: PushIntent,
): Promise<void> {
  if (intent.splits.length === 0) {
    endIncomplete(context, state, unit, intent);
    return;
  }
  const { session, hub } = context;
  // Without commits of its own (an earlier attempt made them) the unit ends at the head of the branch.
  const at = intent.shas.at(-1) ?? (await hub.head(session.branch)) ?? session.base;
  const { builder } = await adoptVerify(context, state, { m: unit.milestone, at });
  const verdict = await isAcceptable(context, builder, {
    at,
    references: [session.base, builder.milestoneBases.get(unit.milestone) ?? unit.base],
    isLast: isLastAttempt(builder, unit.milestone, state.policy),
  });
  switch (verdict.kind) {
    case "stopped":
      return;
    case "no":
      appendEnd(context, state, {
        ...buildEnd(context, unit, intent.shas),
        outcome: "unverified",
        reason: clip(`the verify command fails at ${at}: ${failureLine(verdict.red)}`),
        output: verdict.red.output,
      });
      return;
    case "unknown":
      appendEnd(context, state, {
        ...buildEnd(context, unit, intent.shas),
        outcome: "needs_input",
        ...questionFields("builder", builder.questions.length, unknownQuestion(at, verdict.reason)),
      });
      return;
    case "yes":
      endComplete(context, state, unit, { ...intent, at });
  }
}

/** The fields that every end of a build unit has. */
export function buildEnd(
  { journal }: RoleContext<"builder">,
  unit: BuildUnit,
  shas: readonly Oid[],
) {
  return {
    kind: "build.end" as const,
    time: journal.time(),
    unit: unit.key,
    m: unit.milestone,
    commits: [...shas],
    ticks: new Array<MilestoneTicks>(),
    milestones: new Array<EndedMilestone>(),
  };
}

/**
 * Appends the end of an attempt, and a note for people if that sets its milestone aside.
 *
 * @param before records that are appended together with it
 */
function appendEnd(
  { journal }: RoleContext<"builder">,
  { builder, policy }: SessionState,
  end: Extract<BuilderRecord, { kind: "build.end" }>,
  before: readonly BuilderRecord[] = [],
): void {
  const after = foldBuilder(builder, end, policy);
  const isAside = setAside(after, policy).some(({ name }) => name === end.m);
  if (!isAside || setAside(builder, policy).some(({ name }) => name === end.m)) {
    journal.append(...before, end);
    return;
  }
  const next = currentMilestone(after, policy)?.name ?? "";
  const count = String(stalledAttempts(after, end.m));
  const text = clip(`"${end.m}" is set aside after ${count} attempts: "${next}" is built first`);
  journal.append(...before, end, { kind: "note", time: end.time, text });
}

const UNTICKED = "there are commits, but no task was ticked";

/** Ends an attempt that completed no milestone: the next attempt at the same milestone follows at once. */
function endIncomplete(
  context: RoleContext<"builder">,
  state: SessionState,
  unit: BuildUnit,
  { ticks, shas, before }: PushIntent & { readonly before?: readonly BuilderRecord[] },
): void {
  const isPartial = ticks.length > 0;
  const end = {
    ...buildEnd(context, unit, shas),
    ticks: [...ticks],
    outcome: isPartial ? ("partial" as const) : ("noprogress" as const),
    reason: isPartial ? undefined : withRefusals(context, unit.key, unit.refusal ?? UNTICKED),
  };
  appendEnd(context, state, end, before);
}

function endComplete(
  context: RoleContext<"builder">,
  { builder }: SessionState,
  unit: BuildUnit,
  { ticks, splits, shas, at }: PushIntent & { readonly at: Oid },
): void {
  const previousEnd = builder.milestones.at(-1)?.end ?? context.session.base;
  const milestones = rangesOf(splits, shas, previousEnd, at);
  context.journal.append({
    ...buildEnd(context, unit, shas),
    outcome: "milestone",
    ticks: [...ticks],
    milestones: [...milestones],
  });
}

/** Ends an attempt without progress: saves what is in the clone, and records the reason. */
export async function noProgress(
  context: RoleContext<"builder">,
  state: SessionState,
  unit: BuildUnit,
  reason: string,
): Promise<void> {
  const full = await saveFailed(context, unit.key, reason);
  appendEnd(context, state, {
    ...buildEnd(context, unit, []),
    outcome: "noprogress",
    reason: full,
  });
}
