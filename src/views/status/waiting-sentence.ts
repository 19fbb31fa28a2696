import type { StatusView } from "./status-view.ts";

/** What came after the end and is not taken up, with what has it done where nobody is at work. */
export function waitingSentence(view: StatusView): readonly ["ask" | "plain", string] | undefined {
  const { waiting = [], stage, isPaused, session } = view;
  if (waiting.length === 0) return undefined;
  const what = `not taken up yet: ${waiting.join(", ")}`;
  if (stage !== "reopened") return ["plain", what];
  return ["ask", `${what}; to go on: wisp ${isPaused ? "resume" : "up"} ${session}`];
}
