import { errnoWords } from "../words/errno-words.ts";
import { EXIT } from "../exit-code.ts";
import { refusal } from "../failure.ts";
import type { Result } from "../result.ts";
import { shown } from "../words/shown.ts";

/** Identifies a process across reuse of its pid: `startTime` is field 22 of `/proc/<pid>/stat` if that exists. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

/** The variable that marks all processes of one run. */
export const RUN_ID_VARIABLE = "WISP_RUN_ID";

/** The variable that marks a daemon, but not the processes that it starts. */
export const DAEMON_MARK_VARIABLE = "WISP_DAEMON";

/** The complete environment of a process. */
export type Environment = Readonly<Record<string, string>>;

/** A command as an argument vector; never a shell command line. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The child's complete environment; it inherits nothing else. */
  readonly env: Environment;
}

/** What encloses a command: a sandbox. */
export interface Enclosure {
  /** Words to put before the command. */
  readonly before: readonly string[];
  /** Variables that are added to the command's own. */
  readonly env: Environment;
  /**
   * Whether the words keep everything in a pid namespace that ends with them, and report the pid of its first process
   * as JSON with `child-pid` on descriptor 3. Then the processes inside are asked to end, and not the first one, which
   * passes on the command's end as shells do.
   */
  readonly isKeeper: boolean;
  /**
   * Whether the command runs in a container: its program is not looked for here, the words get no pid namespace of
   * their own, and their first process passes on a request to end, and the command's end as shells do. Asked a second
   * time, it ends and removes the container.
   */
  readonly isContainer?: boolean | undefined;
}

/** Options for a turn of an engine, a verify command, or a setup command: output goes to files, input is text. */
export interface RunOptions extends Command {
  /** Written to standard input, which is then closed. */
  readonly stdin: string;
  /** Standard output and standard error are appended to these files (they may be the same path). */
  readonly stdoutPath: string;
  readonly stderrPath: string;
  readonly timeoutMs: number;
  /**
   * A command that writes more than this to `stdoutPath` is killed, as by the kernel's file size limit: `killed`,
   * by SIGXFSZ. The size is checked periodically, so the file may be larger. No limit if absent.
   */
  readonly outputBytesMax?: number | undefined;
  /**
   * Runs the command in its own pid namespace, if the system allows it: nothing that it starts outlives it, not
   * even a process that empties its environment and leaves the group.
   */
  readonly isIsolated?: boolean | undefined;
  /** The sandbox to run in; its pid namespace, if it has one, replaces ours. */
  readonly enclosure?: Enclosure | undefined;
  /** Marks all processes of the run for the sweep; exported as `WISP_RUN_ID`. */
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
  /** Resolves with the exit code when the process ends while we are its parent. */
  readonly ended: Promise<number>;
  /** Of a daemon that was started to wait. */
  readonly gate?: Gate | undefined;
}

/** Holds a daemon back, which loads its code meanwhile. When we end without opening it, so does the daemon. */
export interface Gate {
  /** Lets the daemon begin. */
  open(): void;
  /** Lets the daemon end without having begun; does nothing if it has begun. */
  close(): void;
}

/** How a daemon is started. */
export interface DaemonCommand extends Command {
  /** Where its output goes; absent: nowhere, until it takes hold of a file by itself. */
  readonly logPath?: string | undefined;
  readonly mark?: string | undefined;
  /** The daemon does not begin before its gate is opened: it must read one byte from its standard input first. */
  readonly isGated?: boolean | undefined;
}

/** Processes as a port. */
export interface Processes {
  /**
   * Runs a command in its own process group until it ends. On abort or timeout it gets TERM, a grace period, then
   * KILL. When this returns, no process of its group or with its run id is alive.
   */
  run(options: RunOptions): Promise<Result<RunEnd, SpawnFailure>>;
  /**
   * Runs a command in our own terminal, which it has to itself until it ends, for a person to use. The command
   * handles Ctrl-C. When this returns, no process with its run id is alive.
   */
  attach(command: Command & { readonly runId: string }): Promise<Result<RunEnd, SpawnFailure>>;
  /**
   * Starts a process in its own session that outlives us, with its output in `logPath`, if there is one. Others can
   * find it by its `mark`, from its first instruction on.
   */
  daemon(command: DaemonCommand): Result<Daemon, SpawnFailure>;
  /**
   * The living daemons that were started with each of these marks, by the mark; none if the system does not show
   * environments. One search for all of them: it reads something of every process of the machine.
   */
  findDaemons(marks: readonly string[]): Promise<ReadonlyMap<string, readonly ProcessIdentity[]>>;
  /**
   * Kills all processes that carry `WISP_RUN_ID=<runId>` for any of these run ids in their environment; returns how
   * many there were.
   */
  sweep(...runIds: readonly string[]): Promise<number>;
  /** The identity of a living process, or `undefined`; zombies count as dead. */
  identify(pid: number): ProcessIdentity | undefined;
  /** Sends a signal to a process (or, with a negative pid, to its group); returns false if it is gone. */
  signal(pid: number, signalName: "SIGTERM" | "SIGKILL" | "SIGINT"): boolean;
}
