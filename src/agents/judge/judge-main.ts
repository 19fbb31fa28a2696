import type { Projector } from "../home/projector.ts";
import { assert } from "../../base/assert.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { AdoptStep, Recover, VerifyStep } from "../../session/steps/step.ts";
import type { RoleMain } from "../work/role.ts";
import { recoverUnit } from "../work/unit.ts";
import { verifyFix, type FixEvidence, type JudgeRoleContext } from "./verify-fix.ts";

/** What a judge does that is not its own: its interrupted units, its fixes, and what people say of its items. */
type Shared = Recover | VerifyStep | AdoptStep;

/** By what a role judges the work, and what it looks at of its own accord. */
export interface Evidence<Look> extends FixEvidence {
  /** One look of its own, from its begin to its end on record. */
  readonly look: (state: SessionState, step: Look) => Promise<void>;
  /** How to go on with an interrupted unit that has published something; undefined: it is taken again. */
  readonly goOn?: (state: SessionState, unit: string) => (() => Promise<void>) | undefined;
}

/** A role that judges the work of the builder: the frame of reviewer and tester. */
export function judgeMain<Look extends { readonly kind: string }>(
  context: JudgeRoleContext,
  projector: Pick<Projector<never, never>, "reconcile" | "advance">,
  evidence: Evidence<Look>,
): RoleMain<Shared | Look> {
  return {
    reconcile: () => projector.reconcile(),
    start: () => projector.reconcile(),
    async perform(work, state) {
      if (isShared(work)) await act(context, state, work, evidence);
      else await evidence.look(state, work);
      await projector.advance();
    },
  };
}

const SHARED: readonly string[] = ["recover", "verify", "adopt-human"] satisfies Shared["kind"][];

function isShared(work: { readonly kind: string }): work is Shared {
  return SHARED.includes(work.kind);
}

async function act(
  context: JudgeRoleContext,
  state: SessionState,
  work: Shared,
  { goOn, ...evidence }: Evidence<never>,
): Promise<void> {
  switch (work.kind) {
    case "recover": {
      const rest = goOn?.(state, work.unit);
      await recoverUnit(context, work.unit, () => (rest === undefined ? "nothing" : "published"));
      return rest?.();
    }
    case "verify":
      return verifyFix(context, state, work, evidence);
    case "adopt-human":
      adoptHuman(context, work);
  }
}

/** What a person says of an item is taken over: that it is one, or that it is none. */
function adoptHuman(context: JudgeRoleContext, { item }: AdoptStep): void {
  const { journal } = context;
  const at = { kind: "adopt.end", time: journal.time(), human: item.index } as const;
  if (item.kind === "dismiss") {
    journal.append({ ...at, dismiss: item.id, why: item.why });
    return;
  }
  assert(context.role === "reviewer", "nobody but the tester adds bugs");
  // What wisp computes only wisp says.
  context.journal.append({ ...at, finding: { ...item.finding, computed: undefined } });
}
