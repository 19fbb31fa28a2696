import type { Projector } from "../../home/projector.ts";
import { assert } from "../../base/assert.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { AdoptStep, Recover, VerifyStep } from "../../session/steps/step.ts";
import type { RoleMain } from "../../work/role.ts";
import { recoverUnit } from "../../work/unit.ts";
import { verifyFix, type FixEvidence, type JudgeRoleContext } from "./verify-fix.ts";

/** Steps that both judges perform alike: recover a unit, judge a fix, adopt what a person decided about an item. */
type Shared = Recover | VerifyStep | AdoptStep;

/** What differs between reviewer and tester: how they judge fixes, and their own reviews or tests. */
export interface JudgeWork<Own> extends FixEvidence {
  /** Performs one unit of the role's own, from its begin to its end on record. */
  readonly judgeWork: (state: SessionState, step: Own) => Promise<void>;
  /** Returns what completes an interrupted unit that has published commits; undefined if the unit starts over. */
  readonly resume?: (state: SessionState, unit: string) => (() => Promise<void>) | undefined;
}

/** The main loop that reviewer and tester share: the roles that judge the builder's work. */
export function judgeMain<Own extends { readonly kind: string }>(
  context: JudgeRoleContext,
  projector: Pick<Projector<never, never>, "reconcile" | "advance">,
  judge: JudgeWork<Own>,
): RoleMain<Shared | Own> {
  return {
    reconcile: () => projector.reconcile(),
    start: () => projector.reconcile(),
    async perform(work, state) {
      if (isShared(work)) await performShared(context, state, work, judge);
      else await judge.judgeWork(state, work);
      await projector.advance();
    },
  };
}

const SHARED: readonly string[] = ["recover", "verify", "adopt-human"] satisfies Shared["kind"][];

function isShared(work: { readonly kind: string }): work is Shared {
  return SHARED.includes(work.kind);
}

async function performShared(
  context: JudgeRoleContext,
  state: SessionState,
  work: Shared,
  { resume, ...evidence }: JudgeWork<never>,
): Promise<void> {
  switch (work.kind) {
    case "recover": {
      const rest = resume?.(state, work.unit);
      await recoverUnit(context, work.unit, () => (rest === undefined ? "nothing" : "published"));
      return rest?.();
    }
    case "verify":
      return verifyFix(context, state, work, evidence);
    case "adopt-human":
      adoptHuman(context, work);
  }
}

/** Adopts a person's decision: a finding that they added, or an item that they dismissed. */
function adoptHuman(context: JudgeRoleContext, { item }: AdoptStep): void {
  const { journal } = context;
  const at = { kind: "adopt.end", time: journal.time(), human: item.index } as const;
  if (item.kind === "dismiss") {
    journal.append({ ...at, dismiss: item.id, why: item.why });
    return;
  }
  assert(context.role === "reviewer", "nobody but the tester adds bugs");
  // Only wisp itself may mark a finding as computed.
  context.journal.append({ ...at, finding: { ...item.finding, computed: undefined } });
}
