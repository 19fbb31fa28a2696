import type { StatusView } from "./status-view.ts";

/** What a person asked for after the end and is not started yet, with the command to start it if nothing is running. */
export function waitingSentence(view: StatusView): readonly ["ask" | "plain", string] | undefined {
  const { waiting = [], stage, isPaused, session } = view;
  if (waiting.length === 0) return undefined;
  const what = `not started yet: ${waiting.join(", ")}`;
  if (stage !== "reopened") return ["plain", what];
  return ["ask", `${what}; to continue: wisp ${isPaused ? "resume" : "up"} ${session}`];
}
