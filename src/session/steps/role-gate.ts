import { endOf, type Ended } from "../state/end-in-force.ts";
import { isUnanswered, type Question } from "../state/open-unit.ts";
import { waitFor, type Exit, type Recover, type Wait } from "./step.ts";

/** The parts of a role's own log that can block every other step. */
interface Own {
  readonly open: { readonly unit: string; readonly isRecovered: boolean } | undefined;
  readonly questions: readonly Question[];
}

/** The rows that every role's table starts with: stop, end, pause, recovery, an open question. */
export function roleGate(
  { open, questions }: Own,
  { builder, human }: Ended,
): Wait | Exit | Recover | undefined {
  if (human.stopped) return { kind: "exit", reason: "stopped" };
  // Comes before recovery and owed units, because after the end nothing is written (R19).
  if (endOf({ builder, human }) !== undefined) return { kind: "exit", reason: "done" };
  if (human.paused) return waitFor({ kind: "paused" });
  if (open?.isRecovered === false) return { kind: "recover", unit: open.unit };
  const question = questions.find((one) => isUnanswered(one, human));
  return question === undefined ? undefined : waitFor({ kind: "question", question });
}
