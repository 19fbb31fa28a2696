import { EXIT } from "../exit-code.ts";
import { refusal } from "../failure.ts";
import type { Environment, SpawnFailure } from "./processes.ts";
import type { FileFailure } from "./files.ts";
import type { ProgramEnd, ProgramInput } from "./programs.ts";
import type { Result } from "../result.ts";
import { shown } from "../words/shown.ts";

/** The kinds of executors, each in a folder of its own below `src/executors`. */
export const EXECUTOR_KINDS = ["local", "ssh", "container", "slurm", "sprites", "command"] as const;
export type ExecutorKind = (typeof EXECUTOR_KINDS)[number];

/** Marks every process that was started at a place with its root, so that none survives the place. */
export const PLACE_VARIABLE = "WISP_PLACE";

/** Names the command that a process at a place runs: no record of a person is appended twice for one name. */
export const ONCE_VARIABLE = "WISP_ONCE";

/** Where one session runs; enough to find it again from a record, in any later process. */
export interface Place {
  /** The executor's own name for it: a host's directory, a container, a job, a sprite. */
  readonly id: string;
  /** Absolute path there of the directory that holds everything wisp puts there, on a local disk of the host. */
  readonly root: string;
}

/** What a new place should have. Absent: the executor's default. */
export interface PlaceWishes {
  /**
   * Names the place: `create` with the same key finds the place that an earlier, interrupted call made. Letters,
   * digits and hyphens, at most 60.
   */
  readonly key: string;
  readonly cpus?: number | undefined;
  readonly memoryBytes?: number | undefined;
  readonly timeMs?: number | undefined;
  readonly image?: string | undefined;
  readonly queue?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * The keys of places that have to be gone before this one begins, for an executor that can hold it back. None: it need
   * not wait any more. Absent: it never had to.
   */
  readonly after?: readonly string[] | undefined;
}

/** A command at a place: an argument vector, never a shell line. */
export interface FarCommand {
  readonly argv: readonly [string, ...string[]];
  /** Absolute. Absent: the root of the place. */
  readonly cwd?: string | undefined;
  /** Added to the environment there. Arguments show it to everyone on the host: never secrets. */
  readonly env?: Environment | undefined;
}

/** The streams and limits of a command at a place. */
export interface FarStreams {
  readonly stdin?: ProgramInput | undefined;
  readonly onStdout?: ((bytes: Uint8Array) => void | Promise<void>) | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The state of a place. */
export type PlaceState =
  /** Commands run there. */
  | { readonly kind: "up" }
  /** It will be up: in a queue, starting, or asleep until it is used. */
  | { readonly kind: "waiting"; readonly reason: string }
  /** Its files are there or will be again, but nothing runs: a stopped container, a node that is down. */
  | { readonly kind: "down"; readonly reason: string }
  /** It does not exist, and neither do its files. */
  | { readonly kind: "gone" };

interface OfExecutor {
  /** As a person writes it after `--on`. */
  readonly executor: string;
  readonly detail: string;
}

/** The link to an executor failed. Nothing is known of what was under way; trying again may help. */
export const ExecutorUnreachable = refusal(
  "executor-unreachable",
  EXIT.failure,
  ({ executor, detail }: OfExecutor) => [
    `${shown(executor)} cannot be reached: ${shown(detail)}.`,
    "Check the connection, then run the same command again: nothing is made twice. A session that runs there goes on meanwhile.",
  ],
);
export type ExecutorUnreachable = ReturnType<typeof ExecutorUnreachable>;

/** An executor refused; the same attempt would fail again. */
export const ExecutorRefused = refusal(
  "executor-refused",
  EXIT.failure,
  ({ executor, detail, hint }: OfExecutor & { readonly hint?: string | undefined }) => [
    `${shown(executor)} refused: ${shown(detail)}.`,
    hint ?? "Nothing was changed there. Correct that, then run the same command again.",
  ],
);
export type ExecutorRefused = ReturnType<typeof ExecutorRefused>;

/** The facts about a place that is gone. */
interface GonePlace {
  readonly executor: string;
  /** The executor's own name for it. */
  readonly place: string;
  /** The session that ran there. Absent: the executor does not know it, and its caller has to. */
  readonly session?: string;
}

/** A place no longer exists. */
export const PlaceGone = refusal(
  "place-gone",
  EXIT.failure,
  ({ executor, place, session }: GonePlace) => [
    `The place ${shown(place)} no longer exists on ${shown(executor)}.`,
    ...(session === undefined
      ? ([
          "If a session ran there, what was mirrored and published of it is here. To see your sessions:",
          "wisp list",
        ] as const)
      : ([
          `What was mirrored and published of ${shown(session)} is here. To go on with it:`,
          `wisp move ${shown(session)} here --force`,
        ] as const)),
  ],
);
export type PlaceGone = ReturnType<typeof PlaceGone>;

/** Why an executor did not do something. */
export type ExecutorFailure =
  ExecutorUnreachable | ExecutorRefused | PlaceGone | SpawnFailure | FileFailure;

type Done<T = void> = Promise<Result<T, ExecutorFailure>>;

/**
 * Where whole sessions run, as a port. Each method may fail at any moment because the link breaks, and may then be
 * called again: `create`, `put`, `detach` and `destroy` have the same effect twice as once.
 */
export interface Executor {
  readonly kind: ExecutorKind;
  /** As a person writes it after `--on`. */
  readonly name: string;
  /** Makes a place, or finds the one that was made with the same key. It may have to wait in a queue: see `status`. */
  create(wishes: PlaceWishes): Done<Place>;
  /** Runs a command until it ends. A broken link is a failure; a command that fails is not. */
  exec(place: Place, command: FarCommand, streams?: FarStreams): Done<ProgramEnd>;
  /**
   * Starts a command that outlives the connection and this process. Does nothing if the one with this name still
   * runs. Its output is appended to `run/<name>.log` below the root.
   */
  detach(place: Place, name: string, command: FarCommand): Done;
  /** Whether the detached command with this name runs. */
  isRunning(place: Place, name: string): Done<boolean>;
  /** Sends a signal to the process group of a detached command; false if it does not run. */
  signal(place: Place, name: string, signalName: "TERM" | "KILL"): Done<boolean>;
  /** Copies a file there, with mode 0600 unless `isExecutable`. It appears whole or not at all; parents are made. */
  put(place: Place, file: PutFile): Done;
  /** Copies a file from there. It appears whole or not at all; a missing file is a refusal. */
  get(place: Place, far: string, here: string): Done;
  /**
   * Hands over the bytes of a file from an offset on, and those that are appended later, until `signal` aborts; the
   * result is then a success. A broken link is a failure; going on from the next offset loses and repeats nothing.
   */
  follow(place: Place, file: FollowedFile, signal: AbortSignal): Done;
  status(place: Place): Done<PlaceState>;
  /**
   * Starts again what carries a place that does not run any more, if its files may still be there; the place may get
   * another id, and may have to wait in a queue. Without files it is not up afterwards. Absent: nothing can be started.
   */
  revive?(place: Place, wishes: Omit<PlaceWishes, "key">): Done<Place>;
  /** Keeps the present state of the files, and names it. Absent: the executor has no such thing. */
  checkpoint?(place: Place, comment: string): Done<string>;
  /** Goes back to a checkpoint. Everything that runs there is ended. */
  restore?(place: Place, checkpoint: string): Done;
  /** The command line here that gives a person a terminal at the place. Absent: there is none. */
  terminalArgv?(place: Place, command: FarCommand): readonly [string, ...string[]];
  /** Ends everything that runs at the place and removes its files. Does nothing if it is gone. */
  destroy(place: Place): Done;
}

/** A file on its way to a place. */
export interface PutFile {
  /** Its content, or the absolute path here of a file that does not change meanwhile. */
  readonly from: Uint8Array | { readonly path: string };
  /** Absolute path there. */
  readonly to: string;
  readonly isExecutable?: boolean | undefined;
}

/** A file at a place that is followed. */
export interface FollowedFile {
  /** Absolute path there. */
  readonly path: string;
  readonly offsetBytes: number;
  readonly onBytes: (bytes: Uint8Array) => void | Promise<void>;
}
