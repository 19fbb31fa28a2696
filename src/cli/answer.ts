import { REASON_CHARS_MAX } from "../base/limits.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { cleanText } from "../fs-protocol/clean-text.ts";
import { appendHuman } from "./append-human.ts";
import type { Cli, Outcome } from "./cli.ts";
import { EXIT } from "./exit-codes.ts";
import type { AnswerFailure } from "./failures.ts";
import { findSession } from "./find-session.ts";
import { goOn } from "./go-on.ts";
import { promptLine } from "./prompt-line.ts";
import { readState } from "./read-state.ts";
import { allow } from "./session-stage.ts";
import type { FoundSession } from "./sessions.ts";
import { openQuestions, type OpenQuestion } from "./open-questions.ts";

/** What the command line of `wisp answer` holds behind the session. */
export interface AnswerWords {
  /** An id and the text, or one of them. */
  readonly words: readonly string[];
}

/** `wisp answer`: puts a person's answer on record, and sees to it that somebody reads it. */
export async function answer(
  cli: Cli,
  options: AnswerWords & { readonly session: string; readonly dryRun: boolean },
): Promise<Outcome> {
  const found = findSession(cli.host.files, cli.cwd, options.session);
  if (!found.ok) return found;
  const read = await readState(cli, found.value);
  if (!read.ok) return read;
  const { id } = found.value.session;
  const { state } = read.value;
  const allowed = allow("answer", { id, state, nowMs: cli.host.clock.nowMs() });
  if (!allowed.ok) return allowed;
  const open = openQuestions(state, id);
  const chosen = chooseQuestion(options, open, { id, answered: [...state.human.answers.keys()] });
  if (!chosen.ok) return chosen;
  const { question } = chosen.value;
  const text = chosen.value.text ?? (options.dryRun ? undefined : await askHere(cli, question));
  if (text === undefined) return fail({ kind: "answer-missing", session: id, questions: open });
  const said = checkText(found.value, question, text);
  if (!said.ok) return said;
  if (options.dryRun) {
    cli.terminal.err(`Would answer ${question.id} of the ${question.role}: ${said.value}`);
    cli.terminal.err("Nothing was done.");
    return ok(EXIT.ok);
  }
  return recordAnswer(cli, found.value, { question, text: said.value });
}

interface Chosen {
  readonly question: OpenQuestion;
  readonly text: string | undefined;
}

/** With one open question its id may be left out. */
function chooseQuestion(
  { words }: AnswerWords,
  open: readonly OpenQuestion[],
  session: { readonly id: string; readonly answered: readonly string[] },
): Result<Chosen, AnswerFailure> {
  const [first, ...rest] = words;
  const named = open.find(({ id }) => id === first);
  if (named !== undefined) {
    return ok({ question: named, text: rest.length === 0 ? undefined : rest.join(" ") });
  }
  const isAnswered = first !== undefined && session.answered.includes(first);
  if (isAnswered) return fail({ kind: "already-answered", session: session.id, question: first });
  const [only, ...others] = open;
  if (only === undefined) return fail({ kind: "nothing-asked", session: session.id });
  if (first === undefined) {
    if (others.length === 0) return ok({ question: only, text: undefined });
    return fail({ kind: "answer-missing", session: session.id, questions: open });
  }
  if (others.length === 0 && rest.length === 0) return ok({ question: only, text: first });
  const ids = open.map(({ id }) => id);
  return fail({ kind: "no-such-question", session: session.id, asked: first, open: ids });
}

async function askHere(cli: Cli, { role, ask }: OpenQuestion): Promise<string | undefined> {
  if (!cli.terminal.isInteractive) return undefined;
  cli.terminal.err(`The ${role} asks: ${ask}`);
  return promptLine("Your answer: ");
}

/** An answer as it may stand on record. */
export function checkText(
  found: FoundSession,
  question: OpenQuestion,
  text: string,
): Result<string, AnswerFailure> {
  const said = cleanText(text, { charsMax: Number.MAX_SAFE_INTEGER, lines: "many" });
  if (said === "") {
    return fail({ kind: "answer-missing", session: found.session.id, questions: [question] });
  }
  if (said.length > REASON_CHARS_MAX) {
    return fail({ kind: "answer-too-long", chars: said.length, charsMax: REASON_CHARS_MAX });
  }
  return ok(said);
}

/** Puts an answer on record, where the question has none, and sees to it that somebody reads it. */
export async function recordAnswer(
  cli: Cli,
  found: FoundSession,
  { question, text: said }: { readonly question: OpenQuestion; readonly text: string },
): Promise<Outcome> {
  const appended = await appendHuman(cli, found, ({ answers }) =>
    answers.has(question.id) ? undefined : { kind: "answer", question: question.id, text: said },
  );
  if (!appended.ok) return appended;
  if (!appended.value.isAppended) {
    const session = found.session.id;
    return fail({ kind: "already-answered", session, question: question.id });
  }
  cli.terminal.err(`Answered ${question.id} of the ${question.role}.`);
  const gone = await goOn(cli, found, { isStopped: appended.value.before.stopped });
  return gone.ok ? ok(EXIT.ok) : gone;
}
