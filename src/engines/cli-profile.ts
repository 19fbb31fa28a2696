import type { Files } from "../base/ports/files.ts";
import type { UsageBasis } from "../fs-protocol/records/turn-usage.ts";
import type { Denial, ParseLine } from "./events/engine-event.ts";
import type { InteractiveOptions, TurnRequest } from "./engine.ts";
import type { McpServer } from "./mcp/mcp-server.ts";
import type { UsageSteps } from "./events/turn-report.ts";

/** What a CLI is started with for one turn, beside its executable. The prompt is its standard input. */
export interface CliCommand {
  readonly args: readonly string[];
  /** Variables that are ours to set. */
  readonly env: Readonly<Record<string, string>>;
  /** Files that it needs, by their names in the temporary directory of the run. */
  readonly files?: Readonly<Record<string, string>> | undefined;
}

/** What a command is made from. */
export interface CliTurn {
  readonly request: TurnRequest;
  readonly model: string | undefined;
  /** Further arguments of the user. */
  readonly extraArgs: readonly string[];
  /** A UUID for the session, where it begins one and lets us choose. */
  readonly sessionId: string;
  /** What it inherits. */
  readonly inherited: Readonly<Record<string, string>>;
  /** The turn's folder without any link in its path: some CLIs hold their rules against that, too. */
  readonly realFolder?: string | undefined;
  /** Temporary files of this run alone. */
  readonly tmpDirectory: string;
  /** The JSON schema that the answer is to have, for a CLI that takes one. */
  readonly schema?: string | undefined;
  /** Whether a sandbox of wisp's is around it: another one inside may not be possible. */
  readonly isConfined?: boolean | undefined;
  /** What it should refuse to read by rules of its own: `~/…`, absolute, or relative to the clone. */
  readonly denied?: readonly string[] | undefined;
  /** MCP servers that it is offered. */
  readonly mcp?: readonly McpServer[] | undefined;
}

/** Of roles that edit, and of a reviewer, which only reads and runs. */
export interface Permissions {
  readonly edits: string;
  readonly reads: string;
}

/** What the runner of turns has to know of a program that speaks a format of its own. */
export interface CliProfile {
  /** Its name in records and settings. */
  readonly name: string;
  /** How a person gives it an account, for when it says that it has none. */
  readonly login: string;
  /** Variables that only this program may inherit: its keys and endpoints; a `*` at the end is any rest. */
  readonly variables: readonly string[];
  readonly parse: ParseLine;
  readonly usageSteps: UsageSteps;
  readonly tokensBasis: UsageBasis;
  /** By the version, where the CLI says it. */
  costBasis(version: string | undefined): UsageBasis;
  /** What it may do without being asked, in its own words: the least with which its turns work. */
  readonly permissions: Permissions;
  /** Whether its output tells every call of a tool: then a turn that cannot have looked is known as such. */
  readonly reportsCalls: boolean;
  /** Whether its standard error says that its start failed in a way that another start would not. */
  readonly isMisstarted?: ((stderr: string) => boolean) | undefined;
  /** Refused calls that it tells on standard error alone. */
  readonly refusedIn?: ((stderr: string) => readonly Denial[]) | undefined;
  /** The model of a session's last turn, for a CLI whose output does not tell it. */
  readonly modelOf?:
    | ((files: Files, env: Readonly<Record<string, string>>, session: string) => string | undefined)
    | undefined;
  /** Whether we choose the id of a session that it begins: then it is known before it says a word. */
  readonly takesSessionId: boolean;
  command(turn: CliTurn): CliCommand;
  /**
   * The arguments for a person at the terminal: no headless mode, no permission given in advance; without
   * words in `prompt` nothing is asked. A
   * prompt beyond what one argument may hold has to be a file that the prompt names. `begin` counts where
   * `takesSessionId` says so.
   */
  interactive(
    prompt: string,
    options: Pick<InteractiveOptions, "resume" | "begin" | "model">,
  ): readonly string[];
}

/** The options of a model, where one was chosen. */
export function modelArgs(flag: string, model: string | undefined): readonly string[] {
  return model === undefined ? [] : [flag, model];
}

/**
 * Directories outside the clone that a turn has to write: where the plan, or the copy to tick, is.
 * Everything else that it writes belongs into the clone.
 */
export function writableDirectories({ tasksFile, cwd }: TurnRequest): readonly string[] {
  if (tasksFile === undefined) return [];
  const directory = tasksFile.replace(/\/[^/]*$/u, "");
  return isWithin(directory, cwd) ? [] : [directory];
}

/**
 * Directories outside the clone that a turn has to read and not to write: its folder, in which lies what
 * its prompt names.
 */
export function readableDirectories({ folder, cwd }: TurnRequest): readonly string[] {
  return folder === undefined || isWithin(folder, cwd) ? [] : [folder];
}

function isWithin(directory: string, other: string): boolean {
  return directory === other || directory.startsWith(`${other}/`);
}

/** A reviewer reads and runs, but edits nothing; what it changes all the same is thrown away. */
export function mayEdit({ role }: Pick<TurnRequest, "role">): boolean {
  return role !== "reviewer";
}
