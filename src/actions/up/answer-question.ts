import { sessionFor } from "../../workspace/session/session-for.ts";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import { REASON_CHARS_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { appendHuman } from "../../workspace/session/append-human.ts";
import type { World } from "../../workspace/world.ts";
import { answerCommand } from "../../workspace/session/answer-command.ts";
import { sayThere } from "../elsewhere/say-there.ts";
import { settingsOf, settingsWords, type SettingsWord } from "./answer-settings.ts";
import { ensureRunning } from "./ensure-running.ts";
import { mayBeSourceQuestion } from "../../session/rules/source-question.ts";
import { baseAnswerOf } from "../../session/state/base-outcome.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { openQuestions, type OpenQuestion } from "../../workspace/session/open-questions.ts";

/** The arguments of `wisp answer` after the session. */
export interface AnswerWords {
  /** An id and the text, or one of them. */
  readonly words: readonly string[];
  /** The answer comes from a program, such as an MCP client, and not from a person. */
  readonly isProgram?: boolean | undefined;
}

/** The answer to record. */
export interface GivenAnswer {
  readonly found: FoundSession;
  /** As it was read to determine the question. */
  readonly state: SessionState;
  readonly question: OpenQuestion;
  readonly text: string;
}

/**
 * Determines which open question is answered, and with what text; records nothing yet.
 *
 * @param ask asks a person for the text if the arguments have none; absent if nobody can be asked
 */
export async function readAnswer(
  world: World,
  { session, words, isProgram = false }: AnswerWords & { readonly session: string },
  ask?: (question: OpenQuestion) => Promise<string | undefined>,
): Promise<GivenAnswer> {
  const { found, state } = await sessionFor(world, "answer", session);
  const { id } = found.session;
  const open = openQuestions(state, id);
  const answered = [...state.human.answers.keys()];
  const { question, text } = need(chooseQuestion({ words }, open, { id, answered }));
  const given = text ?? (await ask?.(question));
  if (given === undefined) throw new CannotGoOn(AnswerMissing({ session: id, questions: open }));
  const said = need(checkText(found, question, given));
  if (isProgram) need(mayProgramSay(state, { session: id, question: question.id, text: said }));
  return { found, state, question, text: said };
}

interface Asked {
  readonly session: string;
}

/** The session has no open question. */
export const NothingAsked = refusal("nothing-asked", EXIT.failure, ({ session }: Asked) => [
  `The session ${session} has no open question.`,
  "To see its state:",
  `wisp status ${session}`,
]);

/** No question with that id is open. */
export const NoSuchQuestion = refusal(
  "no-such-question",
  EXIT.usage,
  ({
    session,
    asked,
    open,
  }: Asked & { readonly asked: string; readonly open: readonly string[] }) => [
    `The session ${session} has no open question '${shown(asked)}'.`,
    "Open questions:",
    ...open.map((id) => answerCommand(session, id)),
  ],
);

/** The question is already answered. */
export const AlreadyAnswered = refusal(
  "already-answered",
  EXIT.failure,
  ({ session, question }: Asked & { readonly question: string }) => [
    `The question ${shown(question)} is already answered; the first answer counts.`,
    "To see where the session stands:",
    `wisp status ${session}`,
  ],
);

/** A question is open, the command has no answer, and there is nobody to ask. */
export const AnswerMissing = refusal(
  "answer-missing",
  EXIT.inputNeeded,
  ({
    session,
    questions,
  }: Asked & { readonly questions: readonly Pick<OpenQuestion, "id" | "ask">[] }) => {
    const asked = questions.map(({ id, ask }) => `${shown(id)}: ${shown(ask)}`);
    const commands = questions.map(({ id }) => answerCommand(session, id));
    return [`An answer is needed. ${asked.join(" ")}`, "Give it in the command:", ...commands];
  },
);

/** The answer is longer than a record may be. */
export const AnswerTooLong = refusal(
  "answer-too-long",
  EXIT.usage,
  ({ chars, charsMax }: { readonly chars: number; readonly charsMax: number }) => [
    `The answer has ${String(chars)} characters; there is room for ${String(charsMax)}.`,
    "Put long text into a file in the repository, and name the file in the answer.",
  ],
);

/**
 * Only a person accepts a red base, or a verify that does not look at its tree: a program that drives the work must not
 * decide what it is not blamed for.
 */
export const OnlyPersonAccepts = refusal(
  "only-person-accepts",
  EXIT.inputNeeded,
  ({ session, question }: Asked & { readonly question: string }) => [
    "Only a person accepts a base at which verify is red or does not look at the code. Nothing was recorded.",
    "Show them the question. They accept with:",
    `${answerCommand(session, question)} accept`,
  ],
);

function mayProgramSay(
  { builder: { baseOutcome }, tester }: Pick<SessionState, "builder" | "tester">,
  { session, question, text }: Asked & { readonly question: string; readonly text: string },
): Result<void, ReturnType<typeof OnlyPersonAccepts>> {
  const isOnBase = baseOutcome?.kind === "asked" && baseOutcome.question === question;
  const isOnSource = tester.questions.some(
    (one) => one.id === question && mayBeSourceQuestion(one),
  );
  const isAllowed = !(isOnBase || isOnSource) || baseAnswerOf(text) !== "accept";
  return isAllowed ? ok(undefined) : fail(OnlyPersonAccepts({ session, question }));
}

type AnswerFailure = ReturnType<
  | typeof NothingAsked
  | typeof NoSuchQuestion
  | typeof AlreadyAnswered
  | typeof AnswerMissing
  | typeof AnswerTooLong
>;

interface Chosen {
  readonly question: OpenQuestion;
  readonly text: string | undefined;
}

/** If only one question is open, its id may be left out. */
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
  if (isAnswered) return fail(AlreadyAnswered({ session: session.id, question: first }));
  const [only, ...others] = open;
  if (only === undefined) return fail(NothingAsked({ session: session.id }));
  if (first === undefined) {
    if (others.length === 0) return ok({ question: only, text: undefined });
    return fail(AnswerMissing({ session: session.id, questions: open }));
  }
  if (others.length === 0 && rest.length === 0) return ok({ question: only, text: first });
  const ids = open.map(({ id }) => id);
  return fail(NoSuchQuestion({ session: session.id, asked: first, open: ids }));
}

/** An answer as it is recorded. */
export function checkText(
  found: FoundSession,
  question: OpenQuestion,
  text: string,
): Result<string, AnswerFailure> {
  const answer = cleanText(text, { charsMax: Number.MAX_SAFE_INTEGER, lines: "many" });
  if (answer === "") {
    return fail(AnswerMissing({ session: found.session.id, questions: [question] }));
  }
  if (answer.length > REASON_CHARS_MAX) {
    return fail(AnswerTooLong({ chars: answer.length, charsMax: REASON_CHARS_MAX }));
  }
  return ok(answer);
}

/** An answer, and whether it takes the settings of the checkout. */
export interface AnswerToRecord {
  readonly question: OpenQuestion;
  readonly text: string;
  readonly settings?: SettingsWord;
}

/**
 * Records an answer, if the question has none, and makes sure that a process reads it. The settings of the checkout come
 * with an answer that has a red base looked at again, if a person says so.
 */
export async function recordAnswer(
  world: World,
  found: FoundSession,
  { question, text: said, settings: word }: AnswerToRecord,
): Promise<void> {
  const { id } = found.session;
  const { state } = need(await readState(world, found));
  const atHand = { found, state, question: question.id, text: said };
  const settings = await settingsOf(world, atHand, word);
  if (found.mirrors !== undefined) {
    const words = settingsWords(settings);
    return sayThere(world, found, ["answer", ...words, "--session", id, "--", question.id, said]);
  }
  const entry = { kind: "answer", question: question.id, text: said, settings } as const;
  const appended = need(
    await appendHuman(world, found, ({ answers }) =>
      answers.has(question.id) ? undefined : entry,
    ),
  );
  if (!appended.isAppended) {
    throw new CannotGoOn(AlreadyAnswered({ session: id, question: question.id }));
  }
  world.tell(`Answered ${question.id} of the ${question.role}.`);
  if (settings !== undefined) {
    world.tell("From now on the session runs these commands; session.json stays as it is.");
  }
  return ensureRunning(world, found, { isStopped: appended.before.stopped });
}
