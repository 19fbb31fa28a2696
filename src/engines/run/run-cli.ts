import { randomInt } from "node:crypto";
import type { Command, RunEnd, SpawnFailure } from "../../base/ports/processes.ts";
import { ok, type Result } from "../../base/result.ts";
import type { SandboxFailure } from "../../base/ports/sandbox.ts";
import { inheritedBy } from "./cli-environment.ts";
import type { CliEngineOptions } from "./cli-engine-options.ts";
import { readableDirectories, writableDirectories, type CliCommand } from "../cli-profile.ts";
import type { TurnRequest } from "../engine.ts";
import type { TurnEnd } from "../judge/judge-end.ts";
import { OutputFollower, type Silences } from "./output-follower.ts";
import { beginningOf, tailOf, type Tail } from "./output-tail.ts";
import { turnEnvironment } from "./turn-environment.ts";

/** What a turn runs. */
export interface CliRun {
  readonly command: CliCommand;
  /** For its temporary files. */
  readonly tmpDirectory: string;
}

type Ran = RunEnd | TurnEnd;
type CliRunFailure = SpawnFailure | SandboxFailure;

/** How the run of a CLI ended, with what it wrote. */
interface CliRunEnd {
  readonly ran: Result<Ran, CliRunFailure>;
  readonly follower: OutputFollower;
  /** Standard error of the start that counts. */
  readonly stderr: Tail;
}

/** How often a CLI is started for one turn where it says that its start failed, the first time included. */
const STARTS_MAX = 5;
/** How long to wait before it is started again: others that start at the same time are to be done. */
const START_AGAIN_MS = { min: 200, max: 1_000 };
/** Of its standard error, the beginning, where it says so: later on there may be words of others. */
const START_BYTES_MAX = 512;

/**
 * Runs the CLI of a turn to its end. One that says that its start failed is ended and started again: it goes
 * on, but what it was asked cannot be done. The last start counts as it is.
 */
export async function runCli(
  options: CliEngineOptions,
  request: TurnRequest,
  run: CliRun,
): Promise<CliRunEnd> {
  const { files, profile, clock } = options;
  for (let start = 1; ; start++) {
    const stderr = tailOf(files, `${request.outputBase}.err`);
    const follower = new OutputFollower({ files, profile, request });
    const begins = beginningOf(files, `${request.outputBase}.err`, START_BYTES_MAX);
    const isMisstarted = () =>
      start < STARTS_MAX && profile.isMisstarted !== undefined && profile.isMisstarted(begins());
    const ran = await runWatched(options, request, { ...run, follower, isMisstarted });
    if (!ran.ok) return { ran, follower, stderr };
    if (ran.value.kind !== "misstarted") return { ran: ok(ran.value), follower, stderr };
    await clock.sleep(randomInt(START_AGAIN_MS.min, START_AGAIN_MS.max), request.signal);
  }
}

/** Some say their first word when the model does: nobody is to start faster than it may be silent later. */
const START_TIMEOUT_MS_MIN = 2 * 60_000;

/** How long a turn may say nothing. */
export function silencesOf({ idleTimeoutMs, startTimeoutMs }: CliEngineOptions): Silences {
  const ordinary = Math.max(START_TIMEOUT_MS_MIN, idleTimeoutMs);
  return { idleTimeoutMs, startTimeoutMs: startTimeoutMs ?? ordinary };
}

/** Runs the CLI, and ends it when it has said nothing for too long. */
async function runWatched(
  options: CliEngineOptions,
  request: TurnRequest,
  run: CliRun & { readonly follower: OutputFollower; readonly isMisstarted: () => boolean },
): Promise<Result<Ran | { readonly kind: "misstarted" }, CliRunFailure>> {
  const { processes, clock } = options;
  const command = commandOf(options, request, run);
  const beside = {
    readable: readableDirectories(request),
    writable: [run.tmpDirectory, ...writableDirectories(request)],
  };
  const enclosure = options.confine?.(command, beside) ?? ok(undefined);
  if (!enclosure.ok) return enclosure;
  const [idle, over] = [new AbortController(), new AbortController()];
  const watching = run.follower
    .follow({
      ...{ clock, ...silencesOf(options), isMisstarted: run.isMisstarted },
      signal: over.signal,
    })
    .then((why) => {
      if (why !== undefined) idle.abort();
      return why;
    });
  const ended = await processes.run({
    ...command,
    stdin: request.prompt,
    stdoutPath: `${request.outputBase}.out`,
    stderrPath: `${request.outputBase}.err`,
    timeoutMs: request.timeoutMs,
    runId: request.runId,
    isIsolated: request.isIsolated,
    enclosure: enclosure.value,
    signal: AbortSignal.any([request.signal, idle.signal]),
  });
  over.abort();
  const why = await watching;
  run.follower.finish();
  const isOurs = ended.ok && ended.value.kind === "stopped" && !request.signal.aborted;
  return isOurs && why !== undefined ? ok({ kind: why }) : ended;
}

function commandOf(
  { profile, argv, variables, env }: CliEngineOptions,
  request: TurnRequest,
  { command, tmpDirectory }: CliRun,
): Command {
  const inherited = inheritedBy([...profile.variables, ...variables], env);
  const environment = { ...inherited, ...command.env, TMPDIR: tmpDirectory };
  return {
    argv: [argv[0], ...command.args],
    cwd: request.cwd,
    env: turnEnvironment(environment, request),
  };
}
