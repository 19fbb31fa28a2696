import { answerCommand } from "./answer-command.ts";
import { shown, type Words } from "./explanation.ts";
import type { AnswerFailure } from "./failures.ts";

/** Words for an answer that cannot be taken. */
export function explainAnswer(failure: AnswerFailure): Words {
  switch (failure.kind) {
    case "nothing-asked":
      return [
        `The session ${failure.session} has no open question.`,
        "To see where it stands:",
        `wisp status ${failure.session}`,
      ];
    case "no-such-question":
      return [
        `The session ${failure.session} has no open question '${shown(failure.asked)}'.`,
        "Open are:",
        ...failure.open.map((id) => answerCommand(failure.session, id)),
      ];
    case "already-answered":
      return [
        `The question ${shown(failure.question)} is answered already; the first answer counts.`,
        "To see where the session stands:",
        `wisp status ${failure.session}`,
      ];
    case "answer-missing": {
      const asked = failure.questions.map(({ id, ask }) => `${shown(id)}: ${shown(ask)}`);
      const commands = failure.questions.map(({ id }) => answerCommand(failure.session, id));
      return [`An answer is needed. ${asked.join(" ")}`, "Give it in the command:", ...commands];
    }
    case "answer-too-long":
      return [
        `The answer has ${String(failure.chars)} characters; there is room for ${String(failure.charsMax)}.`,
        "Put what is long into a file of the repository, and name it in the answer.",
      ];
  }
}
