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
 * Runs a command in our terminal, as the port says: it has our standard input, output and error, opened anew
 * where they are a terminal, and stays in our process group, so that the terminal is its own as it is ours.
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
  await leaveTerminal();
  const { stdio, close } = openStreams();
  process.on("SIGINT", ignore);
  try {
    failpoint("attach.before");
    const child = execa(executable, rest, {
      cwd,
      env: { ...env, [RUN_ID_VARIABLE]: runId },
      extendEnv: false,
      // Passed on as they are; the types name no descriptor above 9.
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
