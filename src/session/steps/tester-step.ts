import type { BuilderFold } from "../state/builder-state.ts";
import { reopens, type HumanFold } from "../state/fold-human.ts";
import type { JudgeFold } from "../state/fold-judge.ts";
import { encodeUnit } from "../../fs-protocol/records/unit-key.ts";
import { roleGate } from "./role-gate.ts";
import { itemsFor, unjudgedFixes } from "./seen.ts";
import { waitFor, type TesterStep } from "./step.ts";
import { verifyStep } from "./verify-step.ts";

/** Everything that the tester's next step depends on. */
export interface TesterView {
  readonly own: JudgeFold;
  readonly builder: BuilderFold;
  readonly human: HumanFold;
}

/** The tester's rows of the table in coordination, section 5. */
export function testerStep(view: TesterView): TesterStep {
  const { own, builder, human } = view;
  const gate = roleGate({
    human,
    isOver: builder.done !== undefined && !reopens(human, builder.done),
    open: own.openUnit,
    questions: own.questions,
  });
  if (gate !== undefined) return gate;
  const item = itemsFor(human, "tester").find(({ index }) => index >= own.human);
  if (item !== undefined) return { kind: "adopt-human", item };
  const fix = unjudgedFixes(own, "tester", builder)[0];
  if (fix !== undefined) return verifyStep(fix);
  const at = { reopens: builder.reopens };
  const untested = builder.milestones.find(({ name }) => !own.answered.has(name));
  const milestone = untested ?? gaveUpEarlier(view);
  if (milestone !== undefined) {
    const again = untested === undefined ? builder.reopens : undefined;
    return {
      kind: "test",
      milestone,
      unit: encodeUnit({
        kind: "test",
        milestone: milestone.name,
        end: milestone.end,
        reopens: again,
      }),
      ...at,
    };
  }
  if (builder.finalN > own.finalDone) {
    return {
      kind: "final-test",
      n: builder.finalN,
      unit: encodeUnit({ kind: "final", n: builder.finalN }),
      ...at,
    };
  }
  return waitFor({ kind: "idle" });
}

/** A milestone whose test gave up before the last reopen in view. */
function gaveUpEarlier({ own, builder }: TesterView) {
  return builder.milestones.find(({ name }) => {
    const gaveUp = own.gaveUp.get(`m${name}`);
    return gaveUp !== undefined && gaveUp.atReopens < builder.reopens;
  });
}
