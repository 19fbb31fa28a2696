import type { RunEnd, SpawnFailure } from "../../base/ports/processes.ts";
import type { Result } from "../../base/result.ts";
import { AwaitedServers } from "./awaited-servers.ts";
import type { CliEngineOptions } from "./cli-engine-options.ts";
import { inheritedBy } from "./cli-environment.ts";
import { engineEnvironment } from "./environment-in.ts";
import type { CliProfile } from "../cli-profile.ts";
import type {
  Engine,
  InteractiveOptions,
  TurnOutcome,
  TurnRecord,
  TurnRequest,
} from "../engine.ts";
import { whyFailed } from "../judge/judge-end.ts";
import { failedTurn, outcomeOfWord } from "./outcome-of-word.ts";
import { failureWords } from "../judge/failure-words.ts";
import { isOwnLine } from "../judge/own-words.ts";
import { OutputFollower } from "./output-follower.ts";
import type { Denial } from "../events/engine-event.ts";
import { linesAtEnd, type Tail } from "./output-tail.ts";
import { silencesOf, waitIn } from "./run-cli.ts";
import { sessionIdOf } from "./session-id.ts";
import type { RangeAsked } from "../judge/unseen-range.ts";
import { addBrokenServers, addDenials, addWait, type TurnReport } from "../events/turn-report.ts";

/**
 * A coding CLI as an engine. It gets the prompt on standard input; its output goes straight into `<outputBase>.out`
 * and `.err`, and is read from there while it grows. Success requires the CLI's own event for it and exit code 0;
 * then the last word of its answer counts (`last-message.ts`).
 */
export function createCliEngine(options: CliEngineOptions): Engine {
  const servers = new AwaitedServers(options);
  return {
    name: options.profile.name,
    turn: (request) => runTurn(options, request, servers),
    interactive: (prompt, to) => interactive(options, prompt, to),
    takesSessionId: options.profile.takesSessionId,
    recall: (outputBase, resumed) => recall(options, { outputBase, resumed }),
  };
}

/** Runs the CLI without headless mode and advance permissions: it asks the person at the terminal. */
function interactive(
  { profile, argv, model, variables, env, processes, checkout }: CliEngineOptions,
  prompt: string,
  { cwd, runId, resume, begin, model: wanted = model }: InteractiveOptions,
): Promise<Result<RunEnd, SpawnFailure>> {
  const [executable] = argv;
  const names = [...profile.variables, ...variables, ...TERMINAL_VARIABLES];
  return processes.attach({
    argv: [executable, ...profile.interactive(prompt, { resume, begin, model: wanted })],
    cwd,
    env: engineEnvironment(inheritedBy(names, env), {
      ...{ checkout, folder: cwd, own: profile.variables },
    }),
    runId,
  });
}

/** The variables that a program needs to draw in a terminal. */
const TERMINAL_VARIABLES = ["TERM", "COLORTERM", "TERM_PROGRAM", "NO_COLOR", "EDITOR", "VISUAL"];

/** Reads an output from its beginning: no two turns share one. */
function recall(
  options: CliEngineOptions,
  { outputBase, resumed }: { readonly outputBase: string; readonly resumed: string | undefined },
): TurnRecord {
  const { profile, files } = options;
  const follower = new OutputFollower({ files, profile, request: { outputBase }, isWhole: true });
  follower.finish();
  return recordOf(options, follower.report, resumed ?? chosenSession(profile, outputBase));
}

/** The id of a new session, if we can choose it. */
function chosenSession(profile: CliProfile, outputBase: string): string | undefined {
  return profile.takesSessionId ? sessionIdOf(outputBase) : undefined;
}

/** Several lines, because advice may follow the actual error. */
const STDERR_LINES_MAX = 8;

async function runTurn(
  options: CliEngineOptions,
  request: TurnRequest,
  servers: AwaitedServers,
): Promise<TurnOutcome> {
  const { profile, clock } = options;
  const run = await servers.run(request);
  if (!run.ok) return failedTurn(`its temporary files cannot be written: ${run.failure.errno}`);
  const { ran, follower, stderr, broken } = run.value;
  if (!ran.ok) {
    if (ran.failure.kind === "sandbox") return failedTurn(ran.failure.reason);
    const { executable, errno } = ran.failure;
    return failedTurn(`could not start ${JSON.stringify(executable)}: ${errno}`);
  }
  const chosen = request.resume?.session ?? chosenSession(profile, request.outputBase);
  const waited = addWait(follower.report, waitIn(profile, { report: follower.report, stderr }));
  const refused = addDenials(waited, refusedOnStderr(profile, stderr));
  const report = addBrokenServers(refused, broken);
  const record = recordOf(options, report, chosen);
  if (ran.value.kind === "stopped") return { kind: "stopped", ...record };
  const answer = outcomeOfWord(report.text);
  const lines = linesAtEnd(stderr, STDERR_LINES_MAX, profile.isLog);
  const failure = whyFailed({
    report,
    end: ran.value,
    stderr: lines.join(" / "),
    words: lines.filter(isOwnLine).join(" / "),
    status: ran.value.kind === "exited" ? profile.statusOf?.(ran.value.exitCode) : undefined,
    at: { nowMs: clock.nowMs(), zone: clock.zone },
    mayAnswerWithRefusal: profile.answersWithRefusals,
    // A turn that asks a person and does not judge makes no claim about the range.
    asked: answer.kind === "ended" ? rangeAsked(profile, request) : undefined,
  });
  if (failure === undefined) return { ...answer, ...record };
  const { timeoutMs } = request;
  const limits = { timeoutMs, ...silencesOf(options) };
  const reason = failureWords(profile, { failure, end: ran.value, ...limits });
  const { class: kind, untilMs, isOfModel, evidence } = failure;
  return { ...failedTurn(reason), failure: kind, untilMs, isOfModel, evidence, ...record };
}

const REFUSED_BYTES_MAX = 64 * 1024;

function refusedOnStderr({ refusedIn }: CliProfile, stderr: Tail): readonly Denial[] {
  const printed = refusedIn === undefined ? undefined : stderr.read(REFUSED_BYTES_MAX);
  return refusedIn === undefined || printed?.ok !== true ? [] : refusedIn(printed.value);
}

/** The range to check for; a continued conversation may have read it before, and some engines report no calls. */
function rangeAsked(
  { reportsCalls }: CliProfile,
  { range, folder, startSha, endSha, resume }: TurnRequest,
): RangeAsked | undefined {
  if (!reportsCalls || range === undefined || resume !== undefined) return undefined;
  return { range, folder, startSha, endSha };
}

function recordOf(
  { profile, files, variables, env, mcp = [] }: CliEngineOptions,
  report: TurnReport,
  chosen: string | undefined,
): TurnRecord {
  const { session = chosen, usage, denials, version } = report;
  const { tokensBasis, modelOf } = profile;
  // Those that only the person's own settings of the CLI name are no concern of the session.
  const broken = report.brokenServers.filter((server) =>
    mcp.some(({ name }) => name === server.name),
  );
  const inherited = inheritedBy([...profile.variables, ...variables], env);
  const known = session === undefined ? undefined : modelOf?.(files, inherited, session);
  return {
    session,
    model: report.model ?? known,
    usage: usage && { ...usage, tokensBasis, costBasis: profile.costBasis(version) },
    ...(denials.length === 0 ? {} : { denials }),
    ...(broken.length === 0 ? {} : { brokenServers: broken }),
  };
}
