import type { FileFailure } from "./files.ts";
import type { Command, SpawnFailure } from "./processes.ts";
import type { Result } from "../result.ts";

/** What a program reads on its standard input, which is closed after it. */
export type ProgramInput =
  string | Uint8Array | { readonly path: string } | AsyncIterable<Uint8Array>;

/** A program whose output is used while it runs. */
export interface ProgramRun extends Command {
  /** Absent: its standard input is empty. */
  readonly stdin?: ProgramInput | undefined;
  /** Receives the bytes of its standard output in order. The program is not read on while a promise is pending. */
  readonly onStdout?: ((bytes: Uint8Array) => void | Promise<void>) | undefined;
  /** It is killed after this time. Absent: it runs until it ends or `signal` aborts. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How a program ended. `stderr` is the end of what it wrote there, at most `STDERR_TAIL_CHARS_MAX`. */
export type ProgramEnd =
  | { readonly kind: "exited"; readonly exitCode: number; readonly stderr: string }
  | { readonly kind: "killed"; readonly signalName: string; readonly stderr: string }
  | { readonly kind: "timed-out"; readonly stderr: string }
  | { readonly kind: "stopped"; readonly stderr: string };

/** Programs with streams as a port. */
export interface Programs {
  /**
   * Runs a program in its own process group, which is killed when it ends, when `signal` aborts, and when the time is
   * over. Fails if it cannot be started.
   */
  stream(run: ProgramRun): Promise<Result<ProgramEnd, SpawnFailure>>;
}

/** A file that arrives in pieces and appears whole or not at all. */
export interface FileReceiver {
  /** A failure is remembered for `finish`. */
  readonly write: (bytes: Uint8Array) => void;
  /** Makes what was written appear at its path, durably, in place of what is there. */
  readonly finish: () => Result<void, FileFailure>;
  /** Removes what was written. */
  readonly drop: () => void;
}

/** Begins to receive a file at an absolute path, whose directory exists. */
export type ReceiveFile = (path: string) => Result<FileReceiver, FileFailure>;
