import { execFile, type ExecFileException } from "node:child_process";
import { assert } from "../../base/assert.ts";
import { failpoint } from "../../base/ports/failpoint.ts";
import type { Environment } from "../../base/ports/processes.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { OVERRIDES } from "./git-environment.ts";
import { gitFailure } from "./git-failure.ts";

/** What a command of git came to. */
export interface GitOutput {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One command: the arguments after `git`, as a vector. */
export interface GitCall {
  readonly directory: string;
  readonly environment: Environment;
  readonly args: readonly string[];
  readonly stdin?: string | undefined;
  /** How output and input are text: `latin1` keeps the bytes of paths that are no UTF-8. */
  readonly encoding?: "utf8" | "latin1" | undefined;
  /** Output of which the beginning is enough: git is ended after so many bytes, or a few more. */
  readonly cutAtBytes?: number | undefined;
}

/** Far above any honest local command, large checkouts included: it only ends what hangs. */
const LOCAL_TIMEOUT_MS = 15 * 60_000;
/** Lists of paths of very large ranges fit; a runaway does not. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const STDERR_BYTES_MAX = 1024 * 1024;

/**
 * Runs git directly. simple-git waits 50 ms after every command that prints nothing (`add`, `commit
 * -q`, `checkout -q`, `update-ref`, …), takes what was read 50 ms after an exit for all that was printed, takes
 * no standard input, and makes no difference between exit codes without a message: a publish would take ten times
 * as long, and `merge-base --is-ancestor` would always say yes. So it serves what goes over a network
 * (`simple-git.ts`), this all others. A non-zero exit is an answer; the failure is for a git that did not run to
 * its end.
 */
export function runGit(call: GitCall): Promise<Result<GitOutput, GitFailure>> {
  assert(!call.args.some((argument) => argument.includes("\0")), "no argument holds a NUL");
  const { encoding = "utf8", cutAtBytes = OUTPUT_BYTES_MAX } = call;
  const options = {
    cwd: call.directory,
    env: { ...call.environment },
    encoding,
    timeout: LOCAL_TIMEOUT_MS,
    // Of both streams: what git warns of must not end it.
    maxBuffer: Math.max(cutAtBytes, STDERR_BYTES_MAX),
    windowsHide: true,
  };
  const point = `git.${operationOf(call.args)}`;
  return new Promise((resolve) => {
    failpoint(`${point}.before`);
    const child = execFile("git", withOverrides(call.args), options, (error, stdout, stderr) => {
      failpoint(`${point}.after`);
      const isCut = call.cutAtBytes !== undefined && error?.code === TOO_MUCH;
      const exitCode = error === null || isCut ? 0 : exitCodeOf(error);
      const says = `${stderr}\n${startFailure(call, error)}`.trim();
      resolve(
        exitCode === undefined
          ? fail(gitFailure(operationOf(call.args), call.directory, says))
          : ok({ exitCode, stdout, stderr }),
      );
    });
    failpoint(`${point}.started`);
    // A git that ends before it has read its input closes the pipe: its exit code says why.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(call.stdin ?? "", encoding);
  });
}

/** How node says that a program printed more than was wanted of it. */
const TOO_MUCH = "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";

/** The name of the command for people: the first argument that is no option. */
export function operationOf(args: readonly string[]): string {
  return args.find((argument) => !argument.startsWith("-")) ?? "git";
}

function withOverrides(args: readonly string[]): string[] {
  return [...OVERRIDES.flatMap((setting) => ["-c", setting]), ...args];
}

function startFailure(call: GitCall, error: ExecFileException | null): string {
  // Node says the same when the directory is missing as when git is.
  if (error?.code === "ENOENT") return `git could not be started in ${call.directory}`;
  return error?.message ?? "";
}

/** `undefined` when git was killed, timed out, printed too much, or is not there at all. */
function exitCodeOf(error: ExecFileException): number | undefined {
  return typeof error.code === "number" && error.killed !== true ? error.code : undefined;
}
