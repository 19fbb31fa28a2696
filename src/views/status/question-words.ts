import type { OpenQuestion } from "../../workspace/session/open-questions.ts";

/** What a role asks, or what it says it cannot get past. */
export function questionWords({ role, ask, isBlocked }: OpenQuestion, id = ""): string {
  const named = id === "" ? "" : ` (${id})`;
  return `The ${role} ${isBlocked ? "cannot continue" : "asks"}${named}: ${ask}`;
}
