import type { HumanFold } from "../state/fold-human.ts";
import type { Question } from "../state/open-unit.ts";
import { waitFor, type Exit, type Recover, type Wait } from "./step.ts";

/** The rows that come before every role's own: stop, end, pause, recovery, an open question. */
export function roleGate(view: {
  readonly human: HumanFold;
  readonly isOver: boolean;
  readonly open: { readonly unit: string; readonly isRecovered: boolean } | undefined;
  readonly questions: readonly Question[];
}): Wait | Exit | Recover | undefined {
  if (view.human.stopped) return { kind: "exit", reason: "stopped" };
  // Before recovery and before any owed unit: after the end nothing is written (R19).
  if (view.isOver) return { kind: "exit", reason: "done" };
  if (view.human.paused) return waitFor({ kind: "paused" });
  if (view.open?.isRecovered === false) return { kind: "recover", unit: view.open.unit };
  const question = view.questions.find(({ id }) => !view.human.answers.has(id));
  return question === undefined ? undefined : waitFor({ kind: "question", question });
}
