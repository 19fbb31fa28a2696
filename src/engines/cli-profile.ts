import type { Files } from "../base/ports/files.ts";
import type { UsageBasis } from "../fs-protocol/records/turn-usage.ts";
import type { BrokenServer, Denial, ParseLine, Trouble } from "./events/engine-event.ts";
import type { InteractiveOptions, TurnRequest } from "./engine.ts";
import type { McpServer } from "./mcp/mcp-server.ts";
import type { UsageSteps } from "./events/turn-report.ts";

/** The start of a CLI for one turn, besides its executable. The prompt is its standard input. */
export interface CliCommand {
  readonly args: readonly string[];
  /** Variables that wisp sets. */
  readonly env: Readonly<Record<string, string>>;
  /** Files that it needs, by their names in the run's temporary directory. */
  readonly files?: Readonly<Record<string, string>> | undefined;
}

/** The input from which a command is made. */
export interface CliTurn {
  readonly request: TurnRequest;
  readonly model: string | undefined;
  /** Further arguments from the user. */
  readonly extraArgs: readonly string[];
  /** A UUID for a new session, if the CLI lets us choose it. */
  readonly sessionId: string;
  /** The variables that it inherits. */
  readonly inherited: Readonly<Record<string, string>>;
  /** The turn's folder with links resolved: some CLIs check this path against their rules too. */
  readonly realFolder?: string | undefined;
  /** The directory for temporary files of this run. */
  readonly tmpDirectory: string;
  /** The JSON schema of the answer, for a CLI that accepts one. */
  readonly schema?: string | undefined;
  /** Whether a sandbox of wisp's encloses it, inside which another one may not work. */
  readonly isConfined?: boolean | undefined;
  /** Paths that it should refuse to read by its own rules: `~/…`, absolute, or relative to the clone. */
  readonly denied?: readonly string[] | undefined;
  /** MCP servers that it can use. */
  readonly mcp?: readonly McpServer[] | undefined;
}

/** Permissions of roles that edit, and of reviewers, which only read and run. */
export interface Permissions {
  readonly edits: string;
  readonly reads: string;
}

/** What the runner of turns needs to know about a CLI with its own output format. */
export interface CliProfile {
  /** The engine's name in records and settings. */
  readonly name: string;
  /** How a user logs in, shown if the CLI reports a missing login. */
  readonly login: string;
  /** Variables that only this program may inherit: its keys and endpoints. A `*` at the end matches any rest. */
  readonly variables: readonly string[];
  readonly parse: ParseLine;
  readonly usageSteps: UsageSteps;
  readonly tokensBasis: UsageBasis;
  /** How to count its cost, which may depend on the version, if the CLI reports it. */
  costBasis(version: string | undefined): UsageBasis;
  /** The permissions it gets in advance, in its own terms: the minimum with which its turns work. */
  readonly permissions: Permissions;
  /** Whether its output reports every tool call; then a turn that cannot have read its range is detected. */
  readonly reportsCalls: boolean;
  /** Whether the answer of a turn that it calls a success may be the words by which its provider refused. */
  readonly answersWithRefusals?: boolean | undefined;
  /** Whether its standard error reports a failed start that a second start may avoid. */
  readonly isMisstarted?: ((stderr: string) => boolean) | undefined;
  /** The HTTP status that an exit code of it stands for. */
  readonly statusOf?: ((exitCode: number) => number | undefined) | undefined;
  /** Whether a line of its standard error belongs to its log, which says nothing about why it failed. */
  readonly isLog?: ((line: string) => boolean) | undefined;
  /** The failure after which, by its log, it waits before it asks again; `undefined` if it does not wait. */
  readonly waitsIn?: ((stderr: string) => Trouble | undefined) | undefined;
  /** Refused calls that it reports on standard error only. */
  readonly refusedIn?: ((stderr: string) => readonly Denial[]) | undefined;
  /** Which of these MCP servers are not there, if it reports that on standard error only. */
  readonly brokenServersIn?:
    ((stderr: string, names: readonly string[]) => readonly BrokenServer[]) | undefined;
  /** Without which of these awaited MCP servers it did not start the turn. */
  readonly unstartedServersIn?:
    ((stderr: string, names: readonly string[]) => readonly BrokenServer[]) | undefined;
  /** The model of a session's last turn, for a CLI whose output does not include it. */
  readonly modelOf?:
    | ((files: Files, env: Readonly<Record<string, string>>, session: string) => string | undefined)
    | undefined;
  /** Whether we choose the id of a new session, which is then known before the CLI prints anything. */
  readonly takesSessionId: boolean;
  command(turn: CliTurn): CliCommand;
  /**
   * The arguments for a person at the terminal: no headless mode and no permissions in advance. An empty `prompt`
   * starts without a question. A prompt that is too long for an argument must be a file that the prompt names.
   * `begin` has an effect only with `takesSessionId`.
   */
  interactive(
    prompt: string,
    options: Pick<InteractiveOptions, "resume" | "begin" | "model">,
  ): readonly string[];
}

/** The options that select a model, if one was chosen. */
export function modelArgs(flag: string, model: string | undefined): readonly string[] {
  return model === undefined ? [] : [flag, model];
}

/**
 * Directories outside the clone that a turn must write: the one with the plan, or with the copy to tick. Everything
 * else that it writes belongs in the clone.
 */
export function writableDirectories({ tasksFile, cwd }: TurnRequest): readonly string[] {
  if (tasksFile === undefined) return [];
  const directory = tasksFile.replace(/\/[^/]*$/u, "");
  return isWithin(directory, cwd) ? [] : [directory];
}

/**
 * Directories outside the clone that a turn must read but not write: its folder, with the files that its prompt
 * names.
 */
export function readableDirectories({ folder, cwd }: TurnRequest): readonly string[] {
  return folder === undefined || isWithin(folder, cwd) ? [] : [folder];
}

function isWithin(directory: string, other: string): boolean {
  return directory === other || directory.startsWith(`${other}/`);
}

/** Whether it takes part in the settings of the project: those of the branch must not steer who judges it. */
export function usesProject({ role }: Pick<TurnRequest, "role">): boolean {
  return role === "builder";
}

/** A reviewer reads and runs but does not edit; if it changes something anyway, that is discarded. */
export function mayEdit({ role }: Pick<TurnRequest, "role">): boolean {
  return role !== "reviewer";
}
