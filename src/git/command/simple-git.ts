import { failpoint } from "../../base/ports/failpoint.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { operationOf, type GitCall, type GitOutput } from "./git-command.ts";
import { GUARDED_NAMES, OVERRIDES, TRANSPORT_NAMES } from "./git-environment.ts";
import { gitFailure } from "./git-failure.ts";

/** Silence of a command after which it is ended. */
const DEFAULT_SILENCE_MS = 15 * 60_000;

/**
 * Runs a command that talks to a remote, through simple-git: it reads the output as it comes and ends a
 * command that falls silent. Loaded at the first use: the package costs a process some 20 ms, and most
 * processes never need it.
 */
export async function runSimpleGit(
  call: GitCall & {
    readonly silenceMsMax?: number | undefined;
    /** Ends the command. */
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Result<GitOutput, GitFailure>> {
  const { GitPluginError, simpleGit } = await import("simple-git");
  const point = `git.${operationOf(call.args)}`;
  let output: Omit<GitOutput, "stdout"> = { exitCode: 0, stderr: "" };
  try {
    const git = simpleGit({
      baseDir: call.directory,
      config: [...OVERRIDES],
      // Each of these is set by us, to switch the thing off.
      unsafe: {
        allowUnsafeHooksPath: true,
        allowUnsafeFsMonitor: true,
        allowUnsafeEditor: true,
        allowUnsafePager: true,
        allowUnsafeConfigPaths: true,
        allowUnsafeAskPass: true,
        allowUnsafeSshCommand: true,
      },
      allowEnvironment: [...GUARDED_NAMES, ...TRANSPORT_NAMES],
      timeout: { block: call.silenceMsMax ?? DEFAULT_SILENCE_MS },
      ...(call.signal === undefined ? {} : { abort: call.signal }),
      // Its own rule takes exit codes for failures only when something was printed on stderr.
      errors: (error, { exitCode, stdErr }) => {
        output = { exitCode, stderr: Buffer.concat(stdErr).toString("utf8") };
        return error instanceof GitPluginError ? error : undefined;
      },
    });
    failpoint(`${point}.before`);
    const stdout = await git.env({ ...call.environment }).raw([...call.args]);
    failpoint(`${point}.after`);
    // Below zero: there is no git to run. No number at all: a signal ended it.
    if (output.exitCode >= 0) return ok({ ...output, stdout });
    return fail(gitFailure(operationOf(call.args), call.directory, output.stderr));
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    return fail(gitFailure(operationOf(call.args), call.directory, says));
  }
}
