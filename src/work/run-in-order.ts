import type { Files } from "../base/ports/files.ts";
import { VERIFY_TAIL_CHARS_MAX } from "../base/limits.ts";
import { traced } from "../base/ports/trace.ts";
import type { RunEnd, SpawnFailure } from "../base/ports/processes.ts";
import type { Result } from "../base/result.ts";
import type { SandboxFailure } from "../base/ports/sandbox.ts";
import { cleanText } from "../base/words/clean-text.ts";

/** The limits of one command, and what it may read. */
export interface CommandBounds {
  /** The file to which its output is appended. */
  readonly outputPath: string;
  readonly timeoutMs: number;
  /** The command is ended if it prints more. Absent: no limit. */
  readonly outputBytesMax?: number | undefined;
  /** Variables that the command gets in addition to the common ones; a `*` ends a name that is only a prefix. */
  readonly envNames: readonly string[];
  /** Arguments that a person wrote: the sandbox may show the files they name. Absent: a model may have written them. */
  readonly named?: readonly string[] | undefined;
  /**
   * Whether the command gets a loopback of its own and no other network, where the sandbox can give it one. Absent: the
   * network that the settings say.
   */
  readonly hasOwnLoopback?: boolean | undefined;
}

/** Runs a command in a fixed directory, environment and sandbox. */
export type CommandRunner = (
  argv: readonly string[],
  bounds: CommandBounds,
) => Promise<Result<RunEnd, SpawnFailure | SandboxFailure>>;

/** How a command that did not succeed ended. */
export type FailedCommand =
  Exclude<RunEnd, { readonly kind: "stopped" }> | { readonly kind: "not-started" };

/** How a list of commands ended. */
export type CommandsEnd =
  | { readonly kind: "passed" }
  /** `tail`: the end of the output, cleaned for prompts. `command`: the one that failed; `ended`: how it ended. */
  | {
      readonly kind: "failed";
      readonly reason: string;
      readonly tail: string;
      readonly command: readonly string[];
      readonly ended: FailedCommand;
    }
  | { readonly kind: "stopped" };

/** Commands to run one after the other, within the same limits. */
export interface OrderedCommands extends CommandBounds {
  readonly commands: readonly (readonly string[])[];
  /** What they are for, in a trace. */
  readonly stage: "setup" | "build" | "verify";
  readonly files: Pick<Files, "stat" | "readChunk">;
  readonly signal: AbortSignal;
}

/** Runs commands of the settings in order until one fails. The time limit applies to each command alone. */
export async function runInOrder(
  run: CommandRunner,
  { commands, stage, files, signal, ...bounds }: OrderedCommands,
): Promise<CommandsEnd> {
  for (const argv of commands) {
    const of = { category: "command", name: stage } as const;
    const end = await traced(of, () => run(argv, { ...bounds, named: argv }));
    if (!end.ok) {
      const reason = whyNotRun(end.failure);
      const ended = { kind: "not-started" } as const;
      return { kind: "failed", reason, tail: "", command: argv, ended };
    }
    if (end.value.kind === "stopped") return { kind: "stopped" };
    const reason = reasonOf(end.value, bounds.timeoutMs);
    if (reason === undefined) continue;
    // The signal that ends this process may also have ended the command: that is an interruption, not a failure.
    if (signal.aborted) return { kind: "stopped" };
    const tail = cleanedTail(files, bounds.outputPath);
    const whole = `${argv.join(" ")} ${reason}`;
    return { kind: "failed", reason: whole, tail, command: argv, ended: end.value };
  }
  return { kind: "passed" };
}

/** Explains why a command could not be run at all. */
export function whyNotRun(failure: SpawnFailure | SandboxFailure): string {
  if (failure.kind === "sandbox") return failure.reason;
  return `${failure.executable} could not be started: ${failure.errno}`;
}

type Ended = Exclude<RunEnd, { readonly kind: "stopped" }>;

function reasonOf(end: Ended, timeoutMs: number): string | undefined {
  switch (end.kind) {
    case "exited":
      return end.exitCode === 0 ? undefined : `exited with ${String(end.exitCode)}`;
    case "killed":
      return `was ended by ${end.signalName}`;
    case "timed-out":
      return `did not end within ${String(Math.round(timeoutMs / 1000))} s`;
  }
}

/** The end of an output file, cleaned; by default as many characters as a prompt may hold. */
export function cleanedTail(
  files: Pick<Files, "stat" | "readChunk">,
  path: string,
  charsMax = VERIFY_TAIL_CHARS_MAX,
): string {
  return readTail(files, path, charsMax).text;
}

/** The end of an output file, cleaned, and whether it is all of it. However large the file is, only the end is read. */
export function readTail(
  files: Pick<Files, "stat" | "readChunk">,
  path: string,
  charsMax: number,
): { readonly text: string; readonly isWhole: boolean } {
  const sizeBytes = files.stat(path)?.sizeBytes ?? 0;
  const fromBytes = Math.max(0, sizeBytes - charsMax * 4);
  const bytes = files.readChunk(path, fromBytes, sizeBytes - fromBytes);
  const text = new TextDecoder().decode(bytes.ok ? bytes.value : new Uint8Array());
  const isWhole = fromBytes === 0 && text.length <= charsMax;
  return { text: cleanText(text.slice(-charsMax), { charsMax, lines: "many" }), isWhole };
}
