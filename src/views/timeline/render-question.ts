import { sentence, type Sentence } from "../../base/words/sentence.ts";

/** The end of a unit that asks a person a question or reports that it is blocked. */
export function renderQuestion(record: {
  readonly question?: string | undefined;
  readonly ask?: string | undefined;
  readonly unit: string;
  readonly outcome?: string | undefined;
  readonly verdict?: string | undefined;
}): Sentence {
  const { question = "", ask = "" } = record;
  const isBlocked = (record.outcome ?? record.verdict) === "blocked";
  return sentence("ask", `${isBlocked ? "cannot continue" : "asks"} (${question}): ${ask}`);
}
