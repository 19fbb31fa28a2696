import { failpoint } from "../../base/ports/failpoint.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { traced } from "../../base/ports/trace.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { operationOf, type GitCall, type GitOutput } from "./git-command.ts";
import { GUARDED_NAMES, OVERRIDES, TRANSPORT_NAMES } from "./git-environment.ts";
import { gitFailure } from "./git-failure.ts";

/** How long a command may print nothing before it is ended. */
const DEFAULT_SILENCE_MS = 15 * 60_000;

interface RemoteCall extends GitCall {
  readonly silenceMsMax?: number | undefined;
  /** Ends the command. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a command that talks to a remote, through simple-git, which reads the output as it arrives
 * and ends a command that falls silent. The package is loaded on first use: it costs some 20 ms,
 * and most processes never need it.
 */
export function runSimpleGit(call: RemoteCall): Promise<Result<GitOutput, GitFailure>> {
  const of = { category: "git", name: `git ${operationOf(call.args)}` } as const;
  return traced(of, () => executeSimpleGit(call));
}

async function executeSimpleGit(call: RemoteCall): Promise<Result<GitOutput, GitFailure>> {
  const { GitPluginError, simpleGit } = await import("simple-git");
  const point = `git.${operationOf(call.args)}`;
  let output: Omit<GitOutput, "stdout"> = { exitCode: 0, stderr: "" };
  try {
    const git = simpleGit({
      baseDir: call.directory,
      config: [...OVERRIDES],
      // We set each of these ourselves, to disable the feature.
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
      // By default simple-git treats an exit code as a failure only if something was printed on
      // stderr.
      errors: (error, { exitCode, stdErr }) => {
        output = { exitCode, stderr: Buffer.concat(stdErr).toString("utf8") };
        return error instanceof GitPluginError ? error : undefined;
      },
    });
    failpoint(`${point}.before`);
    const stdout = await git.env({ ...call.environment }).raw([...call.args]);
    failpoint(`${point}.after`);
    // A negative code means that git could not be started; none at all, that a signal ended it.
    if (output.exitCode >= 0) return ok({ ...output, stdout });
    return fail(gitFailure(operationOf(call.args), call.directory, output.stderr));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return fail(gitFailure(operationOf(call.args), call.directory, detail));
  }
}
