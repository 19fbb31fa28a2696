import { randomInt } from "node:crypto";
import type { Command, RunEnd, SpawnFailure } from "../../base/ports/processes.ts";
import { ok, type Result } from "../../base/result.ts";
import type { SandboxFailure } from "../../base/ports/sandbox.ts";
import { inheritedBy } from "./cli-environment.ts";
import type { CliEngineOptions } from "./cli-engine-options.ts";
import {
  readableDirectories,
  writableDirectories,
  type CliCommand,
  type CliProfile,
} from "../cli-profile.ts";
import type { TurnRequest } from "../engine.ts";
import type { Trouble } from "../events/engine-event.ts";
import type { TurnReport } from "../events/turn-report.ts";
import { failureOf } from "../judge/failure-class.ts";
import type { TurnEnd } from "../judge/judge-end.ts";
import { OutputFollower, type Silences } from "./output-follower.ts";
import { beginningOf, tailOf, type Tail } from "./output-tail.ts";
import { engineEnvironment } from "./environment-in.ts";
import { turnEnvironment } from "./turn-environment.ts";

/** The command of a turn. */
export interface CliRun {
  readonly command: CliCommand;
  /** The directory for its temporary files. */
  readonly tmpDirectory: string;
}

type Ran = RunEnd | TurnEnd;
type CliRunFailure = SpawnFailure | SandboxFailure;

/** How the run of a CLI ended, and its output. */
export interface CliRunEnd {
  readonly ran: Result<Ran, CliRunFailure>;
  readonly follower: OutputFollower;
  /** Standard error of the last start. */
  readonly stderr: Tail;
}

/** How much of the end of standard error is searched for what a CLI waits for. */
const WAIT_BYTES_MAX = 64 * 1024;

/** The failure after which a CLI waits, by what it reported last, or by its log. */
export function waitIn(
  { waitsIn }: Pick<CliProfile, "waitsIn">,
  { report: { isRetrying, retry }, stderr }: { readonly report: TurnReport; readonly stderr: Tail },
): Trouble | undefined {
  const log = waitsIn === undefined ? undefined : stderr.read(WAIT_BYTES_MAX);
  const logged = log?.ok === true ? waitsIn?.(log.value) : undefined;
  return logged ?? (isRetrying ? retry : undefined);
}

/** How often a CLI is started for one turn if it reports failed starts, the first time included. */
const STARTS_MAX = 5;
/** The delay before another start, so that other CLIs that are starting can finish. */
const START_AGAIN_MS = { min: 200, max: 1_000 };
/** How much of the beginning of standard error is searched for such a report; later text may come from others. */
const START_BYTES_MAX = 512;

/**
 * Runs the CLI of a turn to its end. If it reports a failed start, it is ended and started again: it would
 * continue, but could not do its task. The last start counts in any case.
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
    const isLimited = () => {
      const wait = waitIn(profile, { report: follower.report, stderr });
      return wait !== undefined && failureOf(wait, { nowMs: clock.nowMs() }).class === "limited";
    };
    const watched = { ...run, follower, isMisstarted, isLimited };
    const ran = await runWatched(options, request, watched);
    if (!ran.ok) return { ran, follower, stderr };
    if (ran.value.kind !== "misstarted") return { ran: ok(ran.value), follower, stderr };
    await clock.sleep(randomInt(START_AGAIN_MS.min, START_AGAIN_MS.max), request.signal);
  }
}

/** Some print nothing before the model answers, so the limit at the start is never below the later one. */
const START_TIMEOUT_MS_MIN = 2 * 60_000;

/** How long a turn may be silent. */
export function silencesOf({ idleTimeoutMs, startTimeoutMs }: CliEngineOptions): Silences {
  const ordinary = Math.max(START_TIMEOUT_MS_MIN, idleTimeoutMs);
  return { idleTimeoutMs, startTimeoutMs: startTimeoutMs ?? ordinary };
}

/** How long a CLI may be silent while it waits for a limit to end. */
const LIMIT_TIMEOUT_MS = 60_000;

/** What is asked about a run while its output is followed. */
interface Watched {
  readonly follower: OutputFollower;
  readonly isMisstarted: () => boolean;
  readonly isLimited: () => boolean;
}

/** Runs the CLI, and ends it if it is silent for too long. */
async function runWatched(
  options: CliEngineOptions,
  request: TurnRequest,
  run: CliRun & Watched,
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
      ...{ clock, ...silencesOf(options) },
      ...{ isMisstarted: run.isMisstarted, isLimited: run.isLimited },
      limitTimeoutMs: options.limitTimeoutMs ?? LIMIT_TIMEOUT_MS,
      signal: over.signal,
    })
    .then((reason) => {
      if (reason !== undefined) idle.abort();
      return reason;
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
  const reason = await watching;
  run.follower.finish();
  const isOurs = ended.ok && ended.value.kind === "stopped" && !request.signal.aborted;
  return isOurs && reason !== undefined ? ok({ kind: reason }) : ended;
}

function commandOf(
  { profile, argv, variables, env, checkout }: CliEngineOptions,
  request: TurnRequest,
  { command, tmpDirectory }: CliRun,
): Command {
  const inherited = inheritedBy([...profile.variables, ...variables], env);
  const own = profile.variables;
  const seen = engineEnvironment(inherited, { checkout, folder: request.cwd, own });
  const environment = { ...seen, ...command.env, TMPDIR: tmpDirectory };
  return {
    argv: [argv[0], ...command.args],
    cwd: request.cwd,
    env: turnEnvironment(environment, request),
  };
}
