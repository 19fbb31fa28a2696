import type { Role } from "../../base/role.ts";
import { clip } from "./clip.ts";

/** Fields of an `end` that asks a person; the id counts the role's questions from 1. */
export function questionFields(
  role: Role,
  asked: number,
  question: string,
): { readonly question: string; readonly ask: string } {
  return { question: `${role}-${String(asked + 1)}`, ask: clip(question) };
}

/** The answer to the question that stopped this unit last, for the prompt. */
export function answerTo(
  unit: string,
  questions: readonly { readonly id: string; readonly unit: string; readonly ask: string }[],
  answers: ReadonlyMap<string, string>,
): string {
  return questions
    .filter((question) => question.unit === unit && answers.has(question.id))
    .map((question) => `You asked: ${question.ask}\nThe answer: ${answers.get(question.id) ?? ""}`)
    .join("\n\n");
}
