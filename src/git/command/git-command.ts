import { execFile, type ExecFileException } from "node:child_process";
import { assert } from "../../base/assert.ts";
import { failpoint } from "../../base/ports/failpoint.ts";
import type { Environment } from "../../base/ports/processes.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { tracing, type SpanFacts } from "../../base/ports/trace.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { OVERRIDES } from "./git-environment.ts";
import { gitFailure } from "./git-failure.ts";

/** The result of a git command. */
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
  /** The encoding of output and input: `latin1` preserves the bytes of paths that are not UTF-8. */
  readonly encoding?: "utf8" | "latin1" | undefined;
  /** Ends git once it has printed about this many bytes, when only the beginning is needed. */
  readonly cutAtBytes?: number | undefined;
}

/**
 * Far longer than any legitimate local command, large checkouts included: it only ends commands
 * that hang.
 */
const LOCAL_TIMEOUT_MS = 15 * 60_000;
/** Fits the path lists of very large ranges, but not runaway output. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const STDERR_BYTES_MAX = 1024 * 1024;

/**
 * Runs git directly, without simple-git. After every command that prints nothing (`add`, `commit
 * -q`, `checkout -q`, `update-ref`, …) simple-git waits 50 ms; it treats what it has read 50 ms
 * after the exit as the whole output; it has no standard input; and it does not distinguish exit
 * codes without a message. A publish would take ten times as long, and `merge-base --is-ancestor`
 * would always succeed. So simple-git only runs commands that use the network (`simple-git.ts`). A
 * non-zero exit is a result; this fails only if git did not run to its end.
 */
export function runGit(call: GitCall): Promise<Result<GitOutput, GitFailure>> {
  const trace = tracing();
  if (trace === undefined) return executeGit(call);
  const of = { category: "git", name: `git ${operationOf(call.args)}` } as const;
  return trace.span(of, () => executeGit(call), outcomeOf);
}

function outcomeOf(ran: Result<GitOutput, GitFailure>): SpanFacts {
  return ran.ok ? { exitCode: ran.value.exitCode } : { outcome: "failed" };
}

function executeGit(call: GitCall): Promise<Result<GitOutput, GitFailure>> {
  assert(!call.args.some((argument) => argument.includes("\0")), "no argument holds a NUL");
  const { encoding = "utf8", cutAtBytes = OUTPUT_BYTES_MAX } = call;
  const options = {
    cwd: call.directory,
    env: { ...call.environment },
    encoding,
    timeout: LOCAL_TIMEOUT_MS,
    // The limit applies to stderr too: git's warnings must not end it.
    maxBuffer: Math.max(cutAtBytes, STDERR_BYTES_MAX),
    windowsHide: true,
  };
  const point = `git.${operationOf(call.args)}`;
  return new Promise((resolve) => {
    failpoint(`${point}.before`);
    const child = execFile("git", withOverrides(call.args), options, (error, stdout, stderr) => {
      failpoint(`${point}.after`);
      const isCut = call.cutAtBytes !== undefined && error?.code === OUTPUT_EXCEEDED;
      const exitCode = error === null || isCut ? 0 : exitCodeOf(error);
      const detail = `${stderr}\n${startFailure(call, error)}`.trim();
      resolve(
        exitCode === undefined
          ? fail(gitFailure(operationOf(call.args), call.directory, detail))
          : ok({ exitCode, stdout, stderr }),
      );
    });
    failpoint(`${point}.started`);
    // A git that exits before it has read its input closes the pipe; its exit code gives the
    // reason.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(call.stdin ?? "", encoding);
  });
}

/** Node's error code for output that exceeds `maxBuffer`. */
const OUTPUT_EXCEEDED = "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";

/** The command's name for people: the first argument that is not an option. */
export function operationOf(args: readonly string[]): string {
  return args.find((argument) => !argument.startsWith("-")) ?? "git";
}

function withOverrides(args: readonly string[]): string[] {
  return [...OVERRIDES.flatMap((setting) => ["-c", setting]), ...args];
}

function startFailure(call: GitCall, error: ExecFileException | null): string {
  // Node reports the same error when the directory is missing as when git is.
  if (error?.code === "ENOENT") return `git could not be started in ${call.directory}`;
  return error?.message ?? "";
}

/** `undefined` if git was killed, timed out, printed too much, or is not installed. */
function exitCodeOf(error: ExecFileException): number | undefined {
  return typeof error.code === "number" && error.killed !== true ? error.code : undefined;
}
