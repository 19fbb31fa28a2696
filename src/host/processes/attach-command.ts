import { failpoint } from "../../base/ports/failpoint.ts";
import {
  RUN_ID_VARIABLE,
  type Command,
  type RunEnd,
  type SpawnFailure,
} from "../../base/ports/processes.ts";
import { ok, type Result } from "../../base/result.ts";
import { refusalOf, spawnFailure, whyNotExecutable } from "./command-checks.ts";
import { leaveTerminal, openStreams } from "./own-terminal.ts";
import type { Sweeper } from "./sweep.ts";

/**
 * Implements the port's `attach`: runs a command in our terminal. The command gets our standard input, output and
 * error, reopened if they are a terminal, and stays in our process group, so that the terminal serves it as it
 * serves us.
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
  // Ctrl-C reaches us too, but is meant for the command, which decides what to do.
  const ignore = () => undefined;
  await leaveTerminal();
  const { stdio, close } = openStreams();
  process.on("SIGINT", ignore);
  try {
    failpoint("attach.before");
    const child = execa(executable, rest, {
      cwd,
      env: { ...env, [RUN_ID_VARIABLE]: runId },
      extendEnv: false,
      // Passed on unchanged; the types only allow descriptors up to 9.
      stdio: stdio as readonly [3, 3, 3],
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
    close();
    process.off("SIGINT", ignore);
    await sweeper.sweepRuns([runId]);
  }
}
