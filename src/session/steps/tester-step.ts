import { encodeUnit } from "../../fs-protocol/records/unit-key.ts";
import { milestoneGaveUp } from "../state/gave-up.ts";
import { oldestUnanswered } from "./oldest-unanswered.ts";
import { judgeStep, type JudgeView } from "./judge-step.ts";
import type { TesterStep } from "./step.ts";

/**
 * Returns the step of the first row that applies in the tester's table
 * (docs/PROTOCOL.md, section 12).
 */
export function testerStep(view: JudgeView): TesterStep {
  return judgeStep<TesterStep>("tester", view, [
    () => oldestUntested(view),
    () => gaveUpEarlier(view),
    () => finalPass(view),
  ]);
}

function oldestUntested({ own, builder }: JudgeView): TesterStep | undefined {
  const milestone = oldestUnanswered(own, builder);
  if (milestone === undefined) return undefined;
  const unit = encodeUnit({ kind: "test", milestone: milestone.name, end: milestone.end });
  return { kind: "test", milestone, unit, reopens: builder.reopens };
}

/** A milestone whose test gave up before the latest reopen in view is tested once more. */
function gaveUpEarlier({ own, builder: { milestones, reopens } }: JudgeView) {
  if (own.gaveUp.size === 0) return undefined;
  const milestone = milestones.find(({ name }) => {
    const gaveUp = milestoneGaveUp(own, name);
    return gaveUp !== undefined && gaveUp.atReopens < reopens;
  });
  if (milestone === undefined) return undefined;
  const { name, end } = milestone;
  const unit = encodeUnit({ kind: "test", milestone: name, end, reopens });
  return { kind: "test", milestone, unit, reopens } as const;
}

function finalPass({ own, builder: { finalN: n, reopens } }: JudgeView): TesterStep | undefined {
  if (n <= own.finalDone) return undefined;
  return { kind: "final-test", n, unit: encodeUnit({ kind: "final", n }), reopens };
}
