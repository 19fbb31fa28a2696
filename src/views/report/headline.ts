import { inSentences } from "../../base/words/in-sentences.ts";
import { sentence, type Sentence } from "../../base/words/sentence.ts";
import { WISP_STATES } from "../../session/rules/session-machine.ts";
import { questionWords } from "../status/question-words.ts";
import type { ReportView } from "./report-view.ts";

/**
 * How it stands with the session, in one sentence. It is complete only if the builder's log says so and all of the
 * session's state could be read.
 */
export function headline({ status, trouble }: Pick<ReportView, "status" | "trouble">): Sentence {
  if (status === undefined) {
    return sentence(
      "bad",
      inSentences(`The state of this session cannot be read: ${trouble[0] ?? ""}`),
    );
  }
  const { end, questions, halt, hold, isSupervised, stage } = status;
  const name = WISP_STATES[stage].name;
  if (end?.how === "complete") return sentence("good", `${name}: ${end.reason}`);
  if (end !== undefined) return sentence("bad", `${name}: ${end.reason}`);
  const [question] = questions;
  if (question !== undefined) {
    return sentence("ask", `${name}: it is waiting for you. ${questionWords(question)}`);
  }
  const why = halt ?? hold ?? (isSupervised ? "at work" : "nothing is running");
  return sentence(isSupervised ? "plain" : "ask", `${name}: ${why}`);
}
