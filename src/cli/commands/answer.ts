import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import {
  readAnswer,
  recordAnswer,
  type AnswerWords,
  type GivenAnswer,
} from "../../actions/up/answer-question.ts";
import {
  changedSettingsLines,
  changedSettings,
  passedSettings,
  settingsOf,
  type SettingsWord,
} from "../../actions/up/answer-settings.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import type { OpenQuestion } from "../../workspace/session/open-questions.ts";
import { promptLine } from "../../terminal/prompt-line.ts";

/** The options of `wisp answer` that are about the settings of the checkout. */
export interface SettingsFlags {
  /** Take them, or leave them; undefined: ask, where they differ. */
  readonly settings?: boolean | undefined;
  /** The values themselves, from the machine of the person. */
  readonly commands?: string | undefined;
}

interface AnswerOptions extends AnswerWords, SettingsFlags {
  readonly session: string;
  readonly dryRun: boolean;
}

/** `wisp answer`: records a person's answer, and makes sure that a process reads it. */
export async function answer(cli: Cli, options: AnswerOptions): Promise<Outcome> {
  const word = settingsWord(options);
  const ask = options.dryRun ? undefined : (question: OpenQuestion) => askHere(cli, question);
  const given = await readAnswer(cli, options, ask);
  if (options.dryRun) return sayOnly(cli, given, word);
  const { found, question, text } = given;
  await recordAnswer(cli, found, { question, text, settings: word });
  return ok(EXIT.ok);
}

function settingsWord({ settings, commands }: SettingsFlags): SettingsWord {
  if (commands !== undefined) return passedSettings(commands);
  if (settings === undefined) return undefined;
  return settings ? "take" : "leave";
}

async function sayOnly(cli: Cli, given: GivenAnswer, word: SettingsWord): Promise<Outcome> {
  const err = (text: string) => {
    cli.terminal.err(text);
  };
  const { question, text } = given;
  const atHand = { ...given, question: question.id };
  const changed = word === undefined ? await changedSettings(cli, atHand) : undefined;
  if (word !== undefined) await settingsOf(cli, atHand, word);
  err(`Would answer ${question.id} of the ${question.role}: ${text}`);
  if (changed !== undefined) {
    err(changedSettingsLines(changed).join("\n"));
    err("Would ask which of them run, unless there is --settings or --no-settings.");
  }
  err("Nothing was done.");
  return ok(EXIT.ok);
}

async function askHere(cli: Cli, { role, ask }: OpenQuestion): Promise<string | undefined> {
  if (!cli.terminal.isInteractive) return undefined;
  cli.terminal.err(`The ${role} asks: ${ask}`);
  return promptLine("Your answer: ");
}
