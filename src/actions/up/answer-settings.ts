import { EXIT } from "../../base/exit-code.ts";
import { explain } from "../../base/explain.ts";
import { refusal } from "../../base/failure.ts";
import { CannotGoOn } from "../../base/fatal.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { CommandSettings } from "../../fs-protocol/home/command-settings.ts";
import { askCheckedOut } from "../../git/repository/branches.ts";
import { userEnvironment } from "../../git/command/git-environment.ts";
import { gitIn } from "../../git/command/git.ts";
import { commandsInForce, replacedIn } from "../../session/commands/commands-in-force.ts";
import {
  differingCommands,
  type DifferingCommands,
} from "../../session/commands/differing-commands.ts";
import { baseAnswerOf } from "../../session/state/base-outcome.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { Usage } from "../../workspace/usage.ts";
import type { World } from "../../workspace/world.ts";
import { commandsOfCheckout } from "../start/drafted-commands.ts";
import { shownCommand } from "../start/shown-command.ts";

/** What the command line says of the settings of the checkout: take them, leave them, or take these values; else ask. */
export type SettingsWord = "take" | "leave" | CommandSettings | undefined;

/** An answer to a question of a session, before it is recorded. */
export interface AnswerAtHand {
  readonly found: FoundSession;
  readonly state: SessionState;
  /** The question's id. */
  readonly question: string;
  readonly text: string;
}

/** The commands in the settings of the checkout differ from those of the session, and nobody said which are to run. */
export const SettingsDiffer = refusal(
  "settings-differ",
  EXIT.inputNeeded,
  ({
    session,
    question,
    text,
    differing,
    isOnBranch,
  }: Answered & {
    readonly differing: readonly DifferingCommands[];
    readonly isOnBranch: boolean;
  }) => {
    const keys = differing.map(({ key }) => `\`${key}\``);
    const command = answerWords({ session, question, text });
    return [
      `The settings of the checkout differ from the commands of ${session} in ${LIST.format(keys)}; only a person decides which run.`,
      "Nothing was recorded. To look at the base again with those of the checkout (+), or with those of the session (-):",
      `${command} --settings`,
      `${command} --no-settings`,
      ...differingLines(differing, isOnBranch).map((detail) => ({ detail })),
    ];
  },
);

/** The settings of the checkout have a mistake or cannot be read, so it is not known whether they differ. */
export const SettingsUnread = refusal(
  "settings-unread",
  EXIT.usage,
  ({ session, question, text, trouble }: Unread) => {
    const { message, lines } = trouble;
    return [
      `The settings of the checkout cannot be taken. ${message}`,
      "Nothing was recorded. Mend them and answer again, or have the base looked at again with the session's own commands:",
      `${answerWords({ session, question, text })} --no-settings`,
      ...lines.map((detail) => ({ detail })),
    ];
  },
);

interface Answered {
  readonly session: string;
  readonly question: string;
  readonly text: string;
}

interface Unread extends Answered {
  /** What the failure says. */
  readonly trouble: { readonly message: string; readonly lines: readonly string[] };
}

function answerWords({ session, question, text }: Answered): string {
  return `wisp answer ${shellWord(session)} ${shellWord(question)} ${shellWord(text)}`;
}

const LIST = new Intl.ListFormat("en-GB");

/** Settings cannot come with this answer. */
export const SettingsNotTaken = refusal(
  "settings-not-taken",
  EXIT.usage,
  ({ session, why }: { readonly session: string; readonly why: string }) => [
    `The settings of the checkout are not taken: ${why}. Nothing was recorded.`,
    "Answer without `--settings`. A new session begins with the settings of the checkout; to see this one:",
    `wisp status ${shellWord(session)}`,
  ],
);

/** What differs, word for word, like a diff: first the session's, then the checkout's. */
function differingLines(
  differing: readonly DifferingCommands[],
  isOnBranch: boolean,
): readonly string[] {
  const lines = differing.flatMap(({ key, before, after }) => [
    ...valueLines(`- ${key}: `, before),
    ...valueLines(`+ ${key}: `, after),
  ]);
  const warning =
    "The checkout has the session's branch checked out: an engine may have written its settings.";
  return isOnBranch ? [...lines, warning] : lines;
}

function valueLines(name: string, values: readonly (readonly string[])[]): readonly string[] {
  return values.length === 0
    ? [`${name}(none)`]
    : values.map((words) => name + shownCommand(words));
}

/** What the checkout has instead of the commands of a session. */
export interface ChangedSettings {
  readonly settings: CommandSettings;
  readonly differing: readonly DifferingCommands[];
  readonly isOnBranch: boolean;
}

/**
 * The commands in the settings of the checkout, if an answer has the base looked at again and they differ from those in
 * force; undefined if not. Throws `CannotGoOn` if they cannot be read.
 */
export async function changedSettings(
  world: World,
  answer: AnswerAtHand,
): Promise<ChangedSettings | undefined> {
  if (whyNotTaken(answer) !== undefined) return undefined;
  const { session } = answer.found;
  const read = await commandsOfCheckout(world, session);
  if (!read.ok) {
    const { message, details } = explain(read.failure);
    const trouble = { message, lines: details };
    const { question, text } = answer;
    throw new CannotGoOn(SettingsUnread({ session: session.id, question, text, trouble }));
  }
  const settings = read.value;
  const inForce = commandsInForce(session, replacedIn(session, answer.state));
  const differing = differingCommands(inForce, settings);
  if (differing.length === 0) return undefined;
  const { repository, branch } = session;
  const git = gitIn(repository, userEnvironment(world.env, repository));
  const isOnBranch = (await askCheckedOut(git, branch)) === repository;
  return { settings, differing, isOnBranch };
}

/** The lines that show them to a person. */
export function changedSettingsLines({
  differing,
  isOnBranch,
}: ChangedSettings): readonly string[] {
  return [
    "The settings of the checkout (+) differ from the commands of the session (-):",
    ...differingLines(differing, isOnBranch).map((line) => `  ${line}`),
  ];
}

/**
 * The commands that come with an answer: those of the checkout, if they differ and a person said so. Throws `CannotGoOn` if
 * nobody did and nobody can be asked, or if settings were to come with an answer that takes none.
 */
export async function settingsOf(
  world: World,
  answer: AnswerAtHand,
  word: SettingsWord,
): Promise<CommandSettings | undefined> {
  const session = answer.found.session.id;
  const why = whyNotTaken(answer);
  if (word !== undefined && word !== "leave" && why !== undefined) {
    throw new CannotGoOn(SettingsNotTaken({ session, why }));
  }
  if (typeof word === "object") return word;
  if (word === "leave" || why !== undefined) return undefined;
  const changed = await changedSettings(world, answer);
  if (changed === undefined) {
    if (word === "take")
      world.tell("The settings of the checkout are those of the session already.");
    return undefined;
  }
  if (word === undefined) {
    return (await askWhich(world, answer, changed)) ? changed.settings : undefined;
  }
  world.tell(changedSettingsLines(changed).join("\n"));
  return changed.settings;
}

async function askWhich(
  world: World,
  { found, question, text }: AnswerAtHand,
  changed: ChangedSettings,
): Promise<boolean> {
  const session = found.session.id;
  const nobody = SettingsDiffer({ session, question, text, ...changed });
  if (world.ask === undefined) throw new CannotGoOn(nobody);
  world.tell(changedSettingsLines(changed).join("\n"));
  const line = await world.ask("Look at the base again with those of the checkout? [y/N] ");
  if (line === undefined) throw new CannotGoOn(nobody);
  return /^\s*y(?:es)?\s*$/iu.test(line);
}

/** Why no settings come with an answer; undefined if they may. */
function whyNotTaken({ found, state, question, text }: AnswerAtHand): string | undefined {
  const { baseOutcome, stage } = state.builder;
  const isOnBase = baseOutcome?.kind === "asked" && baseOutcome.question === question;
  if (!isOnBase) {
    return stage.kind === "plan"
      ? "only the answer to a question about a red base takes them"
      : "the work has begun, and it is judged by the commands that it began with";
  }
  if (found.session.version < 3) return "the session was begun by an older wisp";
  return baseAnswerOf(text) === "again" ? undefined : "the answer accepts the base as it is";
}

/** The words of a command line for the wisp at the place of a session, which must not read settings of its own. */
export function settingsWords(settings: CommandSettings | undefined): readonly string[] {
  return settings === undefined ? ["--no-settings"] : ["--commands", JSON.stringify(settings)];
}

/** The value of such a command line. Throws `CannotGoOn` if it is none. */
export function passedSettings(text: string): CommandSettings {
  const parsed = CommandSettings.safeParse(jsonOf(text), { jitless: true });
  if (parsed.success) return parsed.data;
  throw new CannotGoOn(
    Usage({ problem: "--commands takes a session's commands, as wisp passes them on" }),
  );
}
