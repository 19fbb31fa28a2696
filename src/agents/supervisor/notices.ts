import { ROLES } from "../../base/role.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../../session/state/session-state.ts";

/** Something that a person wants to hear of, wherever they are. */
export interface Notice {
  /** What it is about; each is told once. */
  readonly about: string;
  /** The id of the question, where it is one. */
  readonly question: string | undefined;
  /** Begins with `wisp`, so that no program takes it for an option or a file. */
  readonly text: string;
}

/** What a person should hear of as things stand: open questions, and the end. */
export function noticesOf(
  { builder, human, ...roles }: SessionState,
  { id }: Pick<SessionJson, "id">,
): readonly Notice[] {
  const done = endOf({ builder, human });
  if (done !== undefined) {
    const said = done.how === "complete" ? "is complete" : "is stuck";
    const text = `wisp: ${id} ${said}: ${done.reason}`;
    return [{ about: `done:${String(done.human)}:${done.head}`, question: undefined, text }];
  }
  return ROLES.flatMap((role) => {
    const { questions } = role === "builder" ? builder : roles[role];
    return questions
      .filter((question) => !human.answers.has(question.id))
      .map(({ id: question, ask, isBlocked = false }) => {
        const what = isBlocked ? "cannot continue" : "asks";
        const text = `wisp: ${id}: the ${role} ${what} (${question}): ${ask}`;
        return { about: question, question, text };
      });
  });
}
