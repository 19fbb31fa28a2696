import { abbreviate, type Oid } from "../../base/oid.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";
import { baseAnswerOf, type BaseAnswer } from "../state/base-outcome.ts";
import type { Question } from "../state/open-unit.ts";
import type { SessionState } from "../state/session-state.ts";

const ASKED = "Verify is green at ";

/** The beginning of the question about a verify that stays green where the product cannot be loaded. */
export function sourceQuestionAt(at: Oid): string {
  return `${ASKED}${abbreviate(at)}`;
}

/** Whether a question of the tester's is, or claims to be, one about a verify that does not look at its tree. */
export function mayBeSourceQuestion({ ask }: Pick<Question, "ask">): boolean {
  return ask.startsWith(ASKED);
}

/**
 * What a person answered the last time that this was asked; undefined if it was not, or has no answer. The builder asks at
 * the base, where no engine asks anything; the tester before its first turn.
 */
export function answerOnSource(
  {
    builder,
    tester,
    human,
  }: {
    readonly builder: Pick<SessionState["builder"], "questions">;
    readonly tester: Pick<SessionState["tester"], "questions">;
    readonly human: Pick<SessionState["human"], "answers">;
  },
  at: Oid,
): BaseAnswer | undefined {
  const atBase = builder.questions.filter(({ unit }) => decodeUnit(unit)?.kind === "base");
  const asked = [...atBase, ...tester.questions].findLast(({ ask }) =>
    ask.startsWith(sourceQuestionAt(at)),
  );
  const answer = asked && human.answers.get(asked.id);
  return answer === undefined ? undefined : baseAnswerOf(answer);
}
