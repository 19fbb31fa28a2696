import { failpoint } from "../../base/ports/failpoint.ts";
import type { Command } from "../../base/ports/processes.ts";
import { refusalOf } from "./command-checks.ts";
import type { Errno } from "../system/errno.ts";
import { sendSignal } from "./signals.ts";

/** What a program answered. */
export type ProgramAnswer =
  | {
      readonly kind: "exited";
      readonly exitCode: number;
      readonly stdout: string;
      readonly stderr: string;
      /** Both, in the order in which they came. */
      readonly output: string;
    }
  /** There is no such program, or it may not be executed. */
  | { readonly kind: "absent"; readonly errno: Errno }
  | { readonly kind: "timed-out" };

/** Longer than any answer: a program that prints more is ended. */
const OUTPUT_CHARS_MAX = 1024 * 1024;

/** For a process that left the group and holds the pipes: what was printed is read long before. */
const ESCAPED_MS = 500;

/**
 * Asks a program something: text in, text out, within a time. It runs in a process group of its own,
 * which ends with it. For turns, verify and setup there is `runProcess`: those print to files, are
 * asked to end before they are killed, and are swept for what they started.
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
  // Imported when first asked: most commands ask nothing.
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
    // Execa waits for all who hold them.
    const closePipes = () => [child.stdout, child.stderr].forEach((pipe) => pipe.destroy());
    setTimeout(closePipes, ESCAPED_MS).unref();
  });
  const { timedOut, code = "EIO", exitCode = 1, stdout, stderr, all } = await child;
  if (timedOut) return { kind: "timed-out" };
  if (pid === undefined) return { kind: "absent", errno: code };
  return { kind: "exited", exitCode, stdout, stderr, output: all };
}
