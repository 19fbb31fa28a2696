import { shellWord } from "../../base/words/shell-word.ts";

/** The command that answers a question; the person adds the answer. */
export function answerCommand(sessionId: string, question: string): string {
  return `wisp answer ${sessionId} ${shellWord(question)} "<your answer>"`;
}
