import type { Environment } from "../../base/ports/processes.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { operationOf, runGit, type GitOutput } from "./git-command.ts";
import { gitFailure } from "./git-failure.ts";

/** What a single command may need beside its arguments. */
export interface GitOptions {
  readonly stdin?: string | undefined;
  /** `latin1` for lists of paths that are given back to git: not every path is UTF-8. */
  readonly encoding?: "utf8" | "latin1" | undefined;
  /** Output of which the beginning is enough, in bytes. */
  readonly cutAtBytes?: number | undefined;
  /** Variables on top of the environment, such as another index file. */
  readonly variables?: Environment | undefined;
}

/** git in one directory with one environment. */
export interface Git {
  readonly directory: string;
  /** Runs a command whose exit code is an answer. */
  run(args: readonly string[], options?: GitOptions): Promise<Result<GitOutput, GitFailure>>;
  /** Runs a command that has to succeed; the value is what it printed. */
  must(args: readonly string[], options?: GitOptions): Promise<Result<string, GitFailure>>;
}

/** git in `directory`; nothing runs yet. */
export function gitIn(directory: string, environment: Environment): Git {
  const call = (args: readonly string[], options: GitOptions) => ({
    directory,
    args,
    environment: { ...environment, ...options.variables },
    stdin: options.stdin,
    encoding: options.encoding,
    cutAtBytes: options.cutAtBytes,
  });
  return {
    directory,
    run: (args, options = {}) => runGit(call(args, options)),
    must: async (args, options = {}) => printed(await runGit(call(args, options)), args, directory),
  };
}

/** The lines of an output, without the empty one after the last line break. */
export function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

function printed(
  run: Result<GitOutput, GitFailure>,
  args: readonly string[],
  directory: string,
): Result<string, GitFailure> {
  if (!run.ok) return run;
  const { exitCode, stdout, stderr } = run.value;
  if (exitCode === 0) return ok(stdout);
  const says = stderr.trim() === "" ? `exit code ${exitCode}` : stderr;
  return fail(gitFailure(operationOf(args), directory, says));
}
