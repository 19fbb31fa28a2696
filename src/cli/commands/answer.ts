import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import { readAnswer, recordAnswer, type AnswerWords } from "../../actions/up/answer-question.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import type { OpenQuestion } from "../../workspace/session/open-questions.ts";
import { promptLine } from "../../terminal/prompt-line.ts";

/** `wisp answer`: records a person's answer, and makes sure that a process reads it. */
export async function answer(
  cli: Cli,
  options: AnswerWords & { readonly session: string; readonly dryRun: boolean },
): Promise<Outcome> {
  const ask = options.dryRun ? undefined : (question: OpenQuestion) => askHere(cli, question);
  const { found, question, text } = await readAnswer(cli, options, ask);
  if (!options.dryRun) {
    await recordAnswer(cli, found, { question, text });
    return ok(EXIT.ok);
  }
  cli.terminal.err(`Would answer ${question.id} of the ${question.role}: ${text}`);
  cli.terminal.err("Nothing was done.");
  return ok(EXIT.ok);
}

async function askHere(cli: Cli, { role, ask }: OpenQuestion): Promise<string | undefined> {
  if (!cli.terminal.isInteractive) return undefined;
  cli.terminal.err(`The ${role} asks: ${ask}`);
  return promptLine("Your answer: ");
}
