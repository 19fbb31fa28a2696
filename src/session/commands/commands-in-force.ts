import type { CommandSettings } from "../../fs-protocol/home/command-settings.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { baseAnswerOf, isOnBase } from "../state/base-outcome.ts";
import type { BuilderFold } from "../state/builder-state.ts";
import type { HumanFold } from "../state/fold-human.ts";
import type { Question } from "../state/open-unit.ts";

/** The commands that replace those of `session.json`, as far as they do. */
export type ReplacedCommands = Partial<CommandSettings>;

/** What of a session's logs says which commands are in force. */
export interface CommandFacts {
  readonly human: Pick<HumanFold, "answers" | "commands">;
  readonly builder: Pick<BuilderFold, "questions" | "adopted">;
}

/**
 * The commands that records put in force instead of those of `session.json`: first those of a person's answer, then those
 * that the builder adopted, which it does only where the session had no verify. Empty if there are none.
 */
export function replacedCommands({ human, builder }: CommandFacts): ReplacedCommands {
  const last = builder.questions.findLast((question) => replaces(human, question));
  const answered = { ...(last && human.commands.get(last.id)) };
  if (builder.adopted === undefined) return answered;
  const { setup, build, verify } = builder.adopted;
  return { ...answered, setup, build, verify };
}

/**
 * Whether the answer to a question put commands in force: the question was about the base, and waited for a person, so
 * that no build unit had begun; and the answer has it looked at again.
 */
function replaces(
  { answers, commands }: CommandFacts["human"],
  question: Pick<Question, "id" | "unit" | "isSettled">,
): boolean {
  const { id, isSettled } = question;
  if (!commands.has(id) || isSettled === true || !isOnBase(question)) return false;
  return baseAnswerOf(answers.get(id) ?? "") === "again";
}

/** The same in a session: the commands of one that began before version 3 are not replaced. */
export function replacedIn(
  { version }: Pick<SessionJson, "version">,
  facts: CommandFacts,
): ReplacedCommands {
  return version < 3 ? {} : replacedCommands(facts);
}

/** The whole commands of a session that are in force. */
export function commandsInForce(
  session: Pick<SessionJson, "setup" | "build" | "verify" | "verifyTimeoutMs" | "commands">,
  replaced: ReplacedCommands,
): CommandSettings {
  const { setup, build = [], verify, verifyTimeoutMs, commands } = session;
  return { setup, build, verify, verifyTimeoutMs, env: commands?.env ?? [], ...replaced };
}

/**
 * A session with the commands that are in force whenever they are read. Everything else is as it was frozen.
 *
 * @param replaced what the logs say at this moment
 */
export function sessionInForce(
  session: SessionJson,
  replaced: () => ReplacedCommands,
): SessionJson {
  return {
    ...session,
    get setup() {
      return replaced().setup ?? session.setup;
    },
    get build() {
      return replaced().build ?? session.build;
    },
    get verify() {
      return replaced().verify ?? session.verify;
    },
    get verifyTimeoutMs() {
      return replaced().verifyTimeoutMs ?? session.verifyTimeoutMs;
    },
    get commands() {
      const { env } = replaced();
      return env === undefined ? session.commands : { ...session.commands, env };
    },
  };
}
