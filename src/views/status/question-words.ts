import type { OpenQuestion } from "../../workspace/session/open-questions.ts";

/** A question of a role, or what blocks it, as a sentence. */
export function questionWords({ role, ask, isBlocked }: OpenQuestion, id = ""): string {
  const named = id === "" ? "" : ` (${id})`;
  return `The ${role} ${isBlocked ? "cannot continue" : "asks"}${named}: ${ask}`;
}
