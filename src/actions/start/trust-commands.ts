import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import type { Files } from "../../base/ports/files.ts";
import type { NamedCommand } from "../../settings/config/named-commands.ts";
import type { World } from "../../workspace/world.ts";
import { confirm } from "../confirm.ts";
import type { SessionDraft } from "./session-draft.ts";
import { shownCommand } from "./shown-command.ts";
import { repositoryState } from "../../workspace/state-directory.ts";
import { plainText, row } from "../../views/rows/row.ts";
import { namedRows, type Fact } from "../../views/rows/table.ts";
import { readUserSettings } from "../../workspace/settings/user-settings.ts";

/** Nobody has agreed to the commands that a repository's settings name, and nobody can be asked. */
export const Untrusted = refusal(
  "untrusted",
  EXIT.inputNeeded,
  ({ command }: Pick<TrustWords, "command">) => [
    "The commands in this repository's settings have not been approved, and there is nobody to ask.",
    "Your own settings say `trust: ask`. Check the list. If all of them may run:",
    command,
  ],
);

/** What the command line, or the calling program, decides before anybody is asked. */
export interface TrustWords {
  /** Confirmed in advance, by `--yes`. */
  readonly isSure: boolean;
  /** The output is for a program: nobody is asked, even on a terminal. */
  readonly isProgram: boolean;
  /** The command that agrees without a question. */
  readonly command: string;
}

/** The commands that a repository's settings name. */
export interface ForeignCommands {
  /** Top level of the work tree. */
  readonly repository: string;
  readonly commands: readonly NamedCommand[];
}

/** The commands of a session that is about to be created. */
export function foreignCommands({
  repository,
  commands,
}: Pick<SessionDraft, "repository" | "commands">): ForeignCommands {
  return { repository: repository.directory, commands };
}

/** The commands may run. */
export interface Trusted {
  /**
   * Records that, once a session exists. If it cannot be recorded, the person is asked again next
   * time.
   */
  readonly remember: () => void;
}

/**
 * Lists the commands that a repository's settings name, before any of them runs: the first time,
 * and whenever they change. On a terminal the person is asked once; elsewhere they are listed once
 * and run, unless the person's own settings contain `trust: ask`. Undefined if the person declines.
 */
export async function trustCommands(
  world: World,
  { repository, commands }: ForeignCommands,
  { isSure, isProgram, command }: TrustWords,
): Promise<Trusted | undefined> {
  if (commands.length === 0) return KNOWN;
  const { host, env } = world;
  const settings = need(readUserSettings(host.files, env));
  const isAsking = world.ask !== undefined && !isProgram;
  const isConfirmationNeeded = isAsking || settings.trust === "ask";
  const directory = repositoryState(env, repository);
  const sha256 = createHash("sha256").update(JSON.stringify(commands)).digest("hex");
  const before = readRemembered(host.files, directory);
  const isSame = before?.sha256 === sha256;
  if (isSame && (before.how === "confirmed" || !isConfirmationNeeded)) return KNOWN;
  world.tell(listedCommands(commands));
  if (!isSure && isConfirmationNeeded) {
    if (!isAsking) throw new CannotGoOn(Untrusted({ command }));
    const sure = await confirm(world, { isSure, question: "Run these commands? [y/N] ", command });
    if (!sure.ok) return undefined;
  }
  const how = isSure || isConfirmationNeeded ? "confirmed" : "listed";
  return { remember: () => remember(host.files, directory, { sha256, how }) };
}

const KNOWN: Trusted = { remember: () => undefined };

/** The commands as a list for a person. */
export function listedCommands(commands: readonly NamedCommand[]): string {
  const facts = commands.map(({ key, words }): Fact => [key, shownCommand(words)]);
  const head = row("The settings of this repository (.wisp/config.yaml) run these commands:");
  return plainText([head, ...namedRows(facts)]);
}

/** The newest list that was shown, stored outside the repository. */
const Remembered = z.strictObject({
  version: z.literal(1),
  /** Digest of the list as JSON. */
  sha256: z.string(),
  /** `confirmed` by a person, or only `listed` if nobody could be asked. */
  how: z.enum(["confirmed", "listed"]),
});
type Remembered = z.infer<typeof Remembered>;

const REMEMBERED_BYTES_MAX = 4_096;

/** Next to the sessions of the repository, under a name that no session has. */
export function rememberedPath(directory: string): string {
  return join(directory, ".commands.json");
}

/** A file that cannot be read counts as never shown. */
function readRemembered(files: Files, directory: string): Remembered | undefined {
  const read = files.read(rememberedPath(directory), REMEMBERED_BYTES_MAX);
  if (!read.ok || read.value === undefined) return undefined;
  try {
    return Remembered.safeParse(JSON.parse(Buffer.from(read.value).toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

function remember(files: Files, directory: string, shown: Omit<Remembered, "version">): void {
  const text = `${JSON.stringify({ version: 1, ...shown } satisfies Remembered)}\n`;
  const made = files.makeDirectory(directory);
  if (made.ok) files.replace(rememberedPath(directory), Buffer.from(text));
}
