import { errnoWords } from "../words/errno-words.ts";
import { EXIT } from "../exit-code.ts";
import { refusal } from "../failure.ts";
import type { Result } from "../result.ts";
import { shown } from "../words/shown.ts";

/** Who a process is, across reuse of its pid: `startTime` is field 22 of `/proc/<pid>/stat` where there is one. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

/** The variable that marks all processes of one run. */
export const RUN_ID_VARIABLE = "WISP_RUN_ID";

/** The variable that marks a daemon, and nothing that it starts. */
export const DAEMON_MARK_VARIABLE = "WISP_DAEMON";

/** The whole environment of a process. */
export type Environment = Readonly<Record<string, string>>;

/** A command as an argument vector; never a shell line. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment of the child: nothing is inherited beside it. */
  readonly env: Environment;
}

/** What stands around a command: a sandbox. */
export interface Enclosure {
  /** Words before those of the command. */
  readonly before: readonly string[];
  /** Variables that the command has beside its own. */
  readonly env: Environment;
  /**
   * Whether the first word keeps everything in a pid namespace that ends with it: it is not asked to end,
   * those in it are. It hands on how the command ended as shells do.
   */
  readonly isKeeper: boolean;
}

/** A turn of an engine, a verify command, a setup command: output goes to files, input from text. */
export interface RunOptions extends Command {
  /** Given on standard input, then closed. */
  readonly stdin: string;
  /** Standard output and standard error are appended to these files (they may be the same path). */
  readonly stdoutPath: string;
  readonly stderrPath: string;
  readonly timeoutMs: number;
  /**
   * What prints more than this to `stdoutPath` is ended as by the kernel's limit on files: `killed`, by
   * SIGXFSZ. Looked at now and then, so what is there may be more. Absent: no bound.
   */
  readonly outputBytesMax?: number | undefined;
  /**
   * Runs in a pid namespace of its own, where the system gives one: nothing that it starts outlives it,
   * also what empties its environment and leaves the group.
   */
  readonly isIsolated?: boolean | undefined;
  /** It runs in this sandbox, whose pid namespace, where it has one, takes the place of ours. */
  readonly enclosure?: Enclosure | undefined;
  /** Marks the whole tree for the sweep: exported as `WISP_RUN_ID`. */
  readonly runId: string;
  readonly signal: AbortSignal;
}

export type RunEnd =
  | { readonly kind: "exited"; readonly exitCode: number }
  | { readonly kind: "killed"; readonly signalName: string }
  | { readonly kind: "timed-out" }
  | { readonly kind: "stopped" };

/** A program could not be started. */
export const SpawnFailure = refusal(
  "spawn",
  EXIT.failure,
  ({ executable, errno }: { readonly executable: string; readonly errno: string }) => [
    `${shown(executable)} could not be started: ${errnoWords(errno)}.`,
    "It has to be installed, executable, and found on PATH.",
  ],
);
export type SpawnFailure = ReturnType<typeof SpawnFailure>;

/** A detached role or supervisor process. */
export interface Daemon {
  readonly pid: number;
  /** Resolves with the exit code when the process has ended while we were its parent. */
  readonly ended: Promise<number>;
}

/** Processes as a port. */
export interface Processes {
  /**
   * Runs a command in its own process group to its end: on abort or timeout TERM, grace, KILL. When
   * it returns, nothing of its group and nothing that carries its run id is alive.
   */
  run(options: RunOptions): Promise<Result<RunEnd, SpawnFailure>>;
  /**
   * Runs a command in our own terminal, which it has to itself until it ends: a person is at it. Ctrl-C is
   * its affair. When it returns, nothing that carries its run id is alive.
   */
  attach(command: Command & { readonly runId: string }): Promise<Result<RunEnd, SpawnFailure>>;
  /**
   * Starts a process in its own session that outlives us; its output goes to `logPath`. By its `mark` it is
   * found again by others, from its first instruction on.
   */
  daemon(
    command: Command & { readonly logPath: string; readonly mark?: string | undefined },
  ): Result<Daemon, SpawnFailure>;
  /** The living daemons that were started with this mark; none where the system does not show it. */
  findDaemons(mark: string): Promise<readonly ProcessIdentity[]>;
  /**
   * Kills everything that carries `WISP_RUN_ID=<runId>` in its environment, of any of these; returns how many
   * there were.
   */
  sweep(...runIds: readonly string[]): Promise<number>;
  /** The identity of a live process, or `undefined`: zombies count as dead. */
  identify(pid: number): ProcessIdentity | undefined;
  /** Sends a signal to a process (or, with a negative pid, to its group); false when it is gone. */
  signal(pid: number, signalName: "SIGTERM" | "SIGKILL" | "SIGINT"): boolean;
}
