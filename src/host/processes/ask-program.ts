import { failpoint } from "../../base/ports/failpoint.ts";
import type { Command } from "../../base/ports/processes.ts";
import { refusalOf } from "./command-checks.ts";
import type { Errno } from "../system/errno.ts";
import { sendSignal } from "./signals.ts";

/** The result of asking a program. */
export type ProgramAnswer =
  | {
      readonly kind: "exited";
      readonly exitCode: number;
      readonly stdout: string;
      readonly stderr: string;
      /** Both streams, in the order in which the output arrived. */
      readonly output: string;
    }
  /** The program does not exist, or must not be executed. */
  | { readonly kind: "absent"; readonly errno: Errno }
  | { readonly kind: "timed-out" };

/** Longer than any answer: a program that prints more is killed. */
const OUTPUT_CHARS_MAX = 1024 * 1024;

/** How long a process that left the group may hold the pipes: the output has been read long before. */
const ESCAPED_MS = 500;

/**
 * Runs a program that answers a question: text in, text out, within a time limit. It runs in its own process group,
 * which is killed when it ends. For turns, verify and setup there is `runProcess`, which writes output to files,
 * asks a command to end before it kills it, and sweeps the processes that it started.
 */
export async function askProgram(
  argv: Command["argv"],
  {
    cwd,
    env,
    timeoutMs,
    stdin = "",
  }: Pick<Command, "cwd" | "env"> & {
    readonly timeoutMs: number;
    readonly stdin?: string | undefined;
  },
): Promise<ProgramAnswer> {
  const refusal = refusalOf({ argv, cwd, env });
  if (refusal !== undefined) return { kind: "absent", errno: refusal };
  // Imported on first use: most commands ask no program.
  const { execa } = await import("execa");
  const [executable, ...rest] = argv;
  failpoint("ask.before");
  const child = execa(executable, rest, {
    cwd,
    env,
    extendEnv: false,
    detached: true,
    input: stdin,
    all: true,
    stripFinalNewline: false,
    maxBuffer: OUTPUT_CHARS_MAX,
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    reject: false,
  });
  failpoint("ask.after");
  const { pid } = child;
  child.once("exit", () => {
    if (pid !== undefined) sendSignal(-pid, "SIGKILL");
    // execa waits for every process that holds the pipes.
    const closePipes = () => [child.stdout, child.stderr].forEach((pipe) => pipe.destroy());
    setTimeout(closePipes, ESCAPED_MS).unref();
  });
  const { timedOut, code = "EIO", exitCode = 1, stdout, stderr, all } = await child;
  if (timedOut) return { kind: "timed-out" };
  if (pid === undefined) return { kind: "absent", errno: code };
  return { kind: "exited", exitCode, stdout, stderr, output: all };
}
