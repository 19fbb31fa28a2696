import { sentence, type Sentence } from "./sentence.ts";

/** The end of a unit that asks a person. */
export function renderQuestion(record: {
  readonly question?: string | undefined;
  readonly ask?: string | undefined;
  readonly unit: string;
}): Sentence {
  const { question = "", ask = "" } = record;
  return sentence("ask", `asks (${question}): ${ask}`);
}
