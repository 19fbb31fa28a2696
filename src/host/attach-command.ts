import { failpoint } from "../base/failpoint.ts";
import {
  RUN_ID_VARIABLE,
  type Command,
  type RunEnd,
  type SpawnFailure,
} from "../base/processes.ts";
import { ok, type Result } from "../base/result.ts";
import { refusalOf, spawnFailure, whyNotExecutable } from "./command-checks.ts";
import type { Sweeper } from "./sweep.ts";

/**
 * Runs a command in our terminal, as the port says: it inherits standard input, output and error, and
 * stays in our process group, so that the terminal is its own as it is ours.
 */
export async function attachCommand(
  { argv, cwd, env, runId }: Command & { readonly runId: string },
  sweeper: Sweeper,
): Promise<Result<RunEnd, SpawnFailure>> {
  const command = { argv, cwd, env };
  const refusal = refusalOf(command) ?? (runId.includes("\0") ? "EINVAL" : undefined);
  if (refusal !== undefined) return spawnFailure(command, refusal);
  const { execa } = await import("execa");
  const [executable, ...rest] = argv;
  // Ctrl-C reaches us as well; it is meant for the command, which decides what it means.
  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  try {
    failpoint("attach.before");
    const child = execa(executable, rest, {
      cwd,
      env: { ...env, [RUN_ID_VARIABLE]: runId },
      extendEnv: false,
      stdio: "inherit",
      reject: false,
    });
    failpoint("attach.after");
    const { pid } = child;
    const ended = await child;
    if (pid === undefined) {
      const { code = "EIO" } = ended;
      return spawnFailure(command, code === "EACCES" ? whyNotExecutable(command, code) : code);
    }
    if (ended.signal !== undefined) return ok({ kind: "killed", signalName: ended.signal });
    return ok({ kind: "exited", exitCode: ended.exitCode ?? 1 });
  } finally {
    process.off("SIGINT", ignore);
    await sweeper.sweepRuns([runId]);
  }
}
