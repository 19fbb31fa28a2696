/** How long a question has to be on the screen before Enter answers it: nobody reads one faster. */
export const QUESTION_READ_MS = 300;

/** The question that is on the screen, and since when, by a clock that only goes forward. */
export interface SeenQuestion {
  readonly id: string | undefined;
  readonly sinceMs: number;
}

export const NO_QUESTION: SeenQuestion = { id: undefined, sinceMs: 0 };

/** The question on the screen after another frame was drawn. */
export function seenAfter(
  before: SeenQuestion,
  id: string | undefined,
  nowMs: number,
): SeenQuestion {
  return before.id === id ? before : { id, sinceMs: nowMs };
}

/** The question that nobody can have read yet, so that keys were not meant for it. */
export function unreadAt({ id, sinceMs }: SeenQuestion, nowMs: number): string | undefined {
  return nowMs - sinceMs < QUESTION_READ_MS ? id : undefined;
}
