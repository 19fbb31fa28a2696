import { spawn } from "node:child_process";
import { errnoOf, type Errno } from "./errno.ts";
import { sendSignal } from "./signals.ts";

/** What became of a short command. */
export type CommandProbe =
  | { readonly kind: "exited"; readonly exitCode: number; readonly output: string }
  /** There is no such program, or it may not be executed. */
  | { readonly kind: "absent"; readonly errno: Errno }
  | { readonly kind: "timed-out" };

/** Longer than any answer: what is printed beyond it is passed over. */
const OUTPUT_CHARS_MAX = 16 * 1024;

/** For who left the group with the pipes: what was printed is read long before. */
const ESCAPED_MS = 500;

/**
 * Runs a command that should answer at once, in its own process group, and ends the group when it
 * does not. `output` is what it printed on both streams by its end.
 */
export function probeCommand(
  [command, ...args]: readonly [string, ...string[]],
  {
    cwd,
    env,
    timeoutMs,
  }: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly timeoutMs: number;
  },
): Promise<CommandProbe> {
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(command, args, {
      cwd,
      env: { ...env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const settle = (probe: CommandProbe) => {
      clearTimeout(timer);
      if (child.pid !== undefined) sendSignal(-child.pid, "SIGKILL");
      // Whoever inherited them may hold them open for ever.
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(probe);
    };
    const timer = setTimeout(() => settle({ kind: "timed-out" }), timeoutMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output = (output + text).slice(0, OUTPUT_CHARS_MAX);
      });
    }
    child.once("error", (thrown) => settle({ kind: "absent", errno: errnoOf(thrown) ?? "EIO" }));
    child.once("exit", (code) => {
      const settleExited = () => settle({ kind: "exited", exitCode: code ?? 1, output });
      // Of the group nobody is left to hold the pipes open, so that what was printed is read to its end.
      if (child.pid !== undefined) sendSignal(-child.pid, "SIGKILL");
      child.once("close", settleExited);
      setTimeout(settleExited, ESCAPED_MS).unref();
    });
  });
}
