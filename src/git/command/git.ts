import type { Oid } from "../../base/oid.ts";
import type { Environment } from "../../base/ports/processes.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { operationOf, runGit, type GitOutput } from "./git-command.ts";
import { userEnvironment, type GitContext } from "./git-environment.ts";
import { gitFailure } from "./git-failure.ts";
import { printedOid } from "./object-ids.ts";

/** Options of a single command. */
export interface GitOptions {
  readonly stdin?: string | undefined;
  /** Use `latin1` for lists of paths that are passed back to git: not every path is UTF-8. */
  readonly encoding?: "utf8" | "latin1" | undefined;
  /** Ends git after about this many bytes, when only the beginning of the output is needed. */
  readonly cutAtBytes?: number | undefined;
  /** Variables added to the environment, such as another index file. */
  readonly variables?: Environment | undefined;
}

/** git in one directory with one environment. */
export interface Git {
  readonly directory: string;
  /** Runs a command whose exit code is a result. */
  run(args: readonly string[], options?: GitOptions): Promise<Result<GitOutput, GitFailure>>;
  /** Runs a command that must succeed, and returns its output. */
  must(args: readonly string[], options?: GitOptions): Promise<Result<string, GitFailure>>;
  /** Like `must`, but ignores the output. */
  act(args: readonly string[], options?: GitOptions): Promise<Result<void, GitFailure>>;
  /** Like `must`, for a command that prints one object id. */
  oid(args: readonly string[], options?: GitOptions): Promise<Result<Oid, GitFailure>>;
  /** The output of a command; `undefined` if it failed or could not be run. */
  ask(args: readonly string[], options?: GitOptions): Promise<string | undefined>;
}

/** Binds git to `directory` and an environment, without running anything. */
export function gitIn(directory: string, environment: Environment): Git {
  return gitBy(directory, (args, { variables, ...options } = {}) =>
    runGit({ directory, args, environment: { ...environment, ...variables }, ...options }),
  );
}

/** What git in the user's repository needs from the caller. */
export type UserContext = Pick<GitContext, "environment">;

/** git in the user's repository, with the user's configuration. */
export function userGit({ environment }: UserContext, directory: string): Git {
  return gitIn(directory, userEnvironment(environment, directory));
}

/** Wraps git so that `guard` runs before each command; if it fails, the command does not run. */
export function guardedGit(git: Git, guard: () => Result<void, GitFailure>): Git {
  return gitBy(git.directory, async (args, options) => {
    const guarded = guard();
    return guarded.ok ? git.run(args, options) : guarded;
  });
}

function gitBy(directory: string, run: Git["run"]): Git {
  const must: Git["must"] = async (args, options) =>
    printed(await run(args, options), args, directory);
  return {
    directory,
    run,
    must,
    act: async (args, options) => {
      const done = await must(args, options);
      return done.ok ? ok(undefined) : done;
    },
    oid: async (args, options) => {
      const done = await must(args, options);
      return done.ok ? printedOid(done.value, directory) : done;
    },
    ask: async (args, options) => {
      const asked = await run(args, options);
      return asked.ok && asked.value.exitCode === 0 ? asked.value.stdout : undefined;
    },
  };
}

function printed(
  run: Result<GitOutput, GitFailure>,
  args: readonly string[],
  directory: string,
): Result<string, GitFailure> {
  if (!run.ok) return run;
  const { exitCode, stdout, stderr } = run.value;
  if (exitCode === 0) return ok(stdout);
  const detail = stderr.trim() === "" ? `exit code ${exitCode}` : stderr;
  return fail(gitFailure(operationOf(args), directory, detail));
}
