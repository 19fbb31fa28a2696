import type { EarlySupervisor } from "../../agents/supervisor/early-supervisor.ts";
import { need } from "../../base/fatal.ts";
import { ROLES } from "../../base/role.ts";
import { EXIT } from "../../base/exit-code.ts";
import { ROLE_STOP_GRACE_MS } from "../../base/limits.ts";
import { traced, tracing, type SpanOf } from "../../base/ports/trace.ts";
import { fail, ok } from "../../base/result.ts";
import { branchRewritten, isRewritten } from "../../workspace/branch-rewritten.ts";
import {
  giveBudgets,
  readBudgets,
  type Budgets,
  type BudgetWords,
} from "../../actions/start/budget-words.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { InterruptKeys } from "../../terminal/interrupt-keys.ts";
import { showRows } from "../../terminal/show-view.ts";
import { row } from "../../views/rows/row.ts";
import { keepCurrent } from "../../workspace/point-current.ts";
import { beginRecording, checkRecording } from "../../actions/start/recording.ts";
import { count } from "../../base/words/sentence.ts";
import { hasFailed, supervisorGone } from "../../actions/up/supervisor-gone.ts";
import { supervisorSaid } from "../../workspace/home-troubles.ts";
import { readLeases } from "../../workspace/session/read-leases.ts";
import { readStatus, type ReadStatus } from "../../views/status/read-status.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { countRecords, NOTHING_SEEN, type Seen } from "../../views/timeline/record-streams.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { isAbandoned, sessionExitCode } from "../../workspace/session/session-end.ts";
import { wispState } from "../../workspace/session/session-stage.ts";
import { summaryRows } from "../../views/status/summary-rows.ts";
import {
  findContinuable,
  superviseSession,
  continueSession,
} from "../../actions/up/continue-session.ts";
import {
  needsResume,
  checkMayContinue,
  startsFixing,
  type ContinueRequest,
} from "../../actions/up/resume-rules.ts";
import { runningOther } from "../../workspace/session/other-program.ts";
import { replaceOther } from "./replace-other.ts";
import { viewSession } from "./view-session.ts";

export interface UpOptions {
  /** Return as soon as the session has a supervisor. */
  readonly detach: boolean;
  /** Also continue a session that is stuck or paused. */
  readonly resume: boolean;
  /** From now on, fix the findings that `--no-fix` leaves to people. */
  readonly fix?: boolean | undefined;
  /** Only show what would be done. */
  readonly dryRun: boolean;
  /** Print lines instead of showing the screen, even on a terminal. */
  readonly plain: boolean;
  /** Directory to record the turns in from now on. */
  readonly record?: string | undefined;
}

/** By then the first engine runs. */
const REPORT_LOAD_AFTER_MS = 2_000;
/** How often a dead supervisor is replaced; beyond that, something is wrong with the machine. */
const REPLACEMENTS_MAX = 3;

/** `wisp up`: makes sure that a session is running, and shows what happens until no role is working. */
export async function up(
  cli: Cli,
  options: UpOptions & BudgetWords & { readonly session: string | undefined },
): Promise<Outcome> {
  const budgets = readBudgets(options);
  const { found, asked } = await findContinuable(cli, options);
  if (options.dryRun) return sayUp(cli, found, asked);
  const recording = checkRecording(cli, options.record, found.session);
  keepCurrent(cli, found.session);
  const seen = need(countRecords(cli.host.files, found.home));
  beginRecording(cli, found, recording);
  return runFound(cli, found, { ...options, asked, budgets, seen });
}

/** What `up` and `resume` would do, by the same decisions; an edit of TASKS.md is checked only when it is adopted. */
async function sayUp(cli: Cli, found: FoundSession, asked: ContinueRequest): Promise<Outcome> {
  const { host, terminal } = cli;
  const read = need(await readState(cli, found));
  const { state } = read;
  const { id } = found.session;
  const nowMs = host.clock.nowMs();
  checkMayContinue(asked, { id, state, nowMs });
  const isLifted = needsResume(state, state.human, { ...asked, nowMs });
  if (isLifted && startsFixing(state, asked))
    terminal.err("Would have fixed what --no-fix left to you.");
  const alive = await readLeases(host, found.home);
  const later = asked.later?.count ?? 0;
  if (isLifted && later > 0) terminal.err(`Would have ${count(later, "later commit")} reviewed.`);
  else if (isLifted)
    terminal.err(`Would lift what holds up ${id}: it is ${wispState(state, nowMs)}.`);
  if (runningOther(cli, found.home) !== undefined) {
    terminal.err("Would first let the processes of another version of wisp finish their turns.");
  }
  if (!isLifted && endOf(state) !== undefined) terminal.err(`Would only show how ${id} ended.`);
  else if (alive.has("supervisor")) terminal.err(`Would show what happens: ${id} is running.`);
  else terminal.err(`Would start a supervisor for ${id}, and show what happens.`);
  terminal.err("Nothing was done.");
  return ok(EXIT.ok);
}

/** Runs an existing session; what was already seen is not shown again. */
async function runFound(
  cli: Cli,
  found: FoundSession,
  options: UpOptions & {
    readonly asked: ContinueRequest;
    readonly budgets: Budgets;
    readonly seen: Seen;
  },
): Promise<Outcome> {
  const state = await continueSession(cli, found, options.asked);
  if (endOf(state) !== undefined) return finish(cli, found, need(await readStatus(cli, found)), 0);
  await giveBudgets(cli, found, options.budgets);
  const isNew = ROLES.every((role) => options.seen[role] === 0);
  if (isNew) {
    const { missingOfSession } = await import("../../actions/start/not-in-base.ts");
    for (const line of (await missingOfSession(cli, found, state)).notices) cli.terminal.err(line);
  }
  const seen = await replaceOther(cli, found, options.seen);
  return run(cli, found, { ...options, seen });
}

/** Runs a new session: there is nothing to resume, and nothing was seen of it yet. */
export async function runNew(
  cli: Cli,
  made: FoundSession,
  { detach, plain, early }: Pick<RunOptions, "detach" | "plain" | "early">,
): Promise<Outcome> {
  return run(cli, made, { detach, plain, early, seen: NOTHING_SEEN });
}

interface RunOptions extends Pick<UpOptions, "detach" | "plain"> {
  readonly seen: Seen;
  /** The supervisor's process, if it was started before the session was created. */
  readonly early?: EarlySupervisor | undefined;
}

async function run(cli: Cli, found: FoundSession, options: RunOptions): Promise<Outcome> {
  const { id } = found.session;
  // From here on Ctrl-C is a message to the supervisor, which outlives this process.
  const keys = new InterruptKeys(cli, found.home);
  const ensured = need(await superviseSession(cli, found, options.early));
  if (ensured.kind === "running" && tracing() !== undefined) cli.terminal.err(alreadyRunning(id));
  if (options.detach && hasFailed(ensured)) return fail(supervisorGone(cli, found));
  keys.arm();
  if (options.detach) {
    cli.terminal.err(
      `${id} is running. To watch it: wisp up ${id}. To see its state: wisp status ${id}`,
    );
    return ok(EXIT.ok);
  }
  cli.terminal.err(`${id} is running. Ctrl-C stops it; closing the window does not.`);
  const isOnScreen = !options.plain && cli.terminal.hasScreen;
  // The end of the session would wait for it; now there is nothing else to do.
  setTimeout(() => void loadReport(), REPORT_LOAD_AFTER_MS).unref();
  const foundRunningMs = ensured.kind === "running" ? cli.host.clock.nowMs() : undefined;
  return watch(cli, found, { seen: options.seen, keys, isOnScreen, foundRunningMs });
}

/** Processes that are running already cannot be told to write a trace. */
function alreadyRunning(id: string): string {
  return `wisp: ${id} was running already: its processes write the trace that they were started with, if any`;
}

interface Watched {
  readonly seen: Seen;
  readonly keys: InterruptKeys;
  readonly isOnScreen: boolean;
  /** When a supervisor was found that ran already. */
  readonly foundRunningMs: number | undefined;
}

/** How long a supervisor that was asked to end may take: it waits for its roles, then kills them. */
const ENDING_MS_MAX = ROLE_STOP_GRACE_MS + 5_000;

/** Whether a supervisor ended that was asked to before we came: others may end whole machines in this way. */
function wasEnding(cli: Cli, { foundRunningMs, keys }: Watched, { state }: ReadStatus): boolean {
  const isBySignal = state.supervisor.lastEnd?.code === EXIT.interrupted && keys.presses === 0;
  const sinceMs = cli.host.clock.nowMs() - (foundRunningMs ?? -Infinity);
  return (
    isBySignal && sinceMs < ENDING_MS_MAX && !state.human.stopped && endOf(state) === undefined
  );
}

const SHOWING: SpanOf = { category: "wait", name: "supervisor" };

async function watch(cli: Cli, found: FoundSession, watched: Watched): Promise<Outcome> {
  const { keys } = watched;
  let shown = watched.seen;
  for (let replacements = 0; ; replacements++) {
    const viewed = await traced(SHOWING, () => view(cli, found, { ...watched, seen: shown }));
    if (viewed === "background") return inBackground(cli, found);
    shown = viewed;
    keys.disarm();
    const read = need(await readStatus(cli, found));
    const isLeft =
      isAbandoned(read.state, cli.host.clock.nowMs()) ||
      (replacements === 0 && wasEnding(cli, watched, read));
    if (!isLeft || replacements >= REPLACEMENTS_MAX) return finish(cli, found, read, keys.presses);
    const lastWords = supervisorSaid(cli.host.files, found.home);
    const why = lastWords === undefined ? "" : ` (it said: ${lastWords})`;
    cli.terminal.err(`wisp: the supervisor is gone${why}; starting another one`);
    need(await superviseSession(cli, found));
    keys.arm();
  }
}

/** Shows what happens until the supervisor leaves; returns what was seen, or that the person left. */
async function view(
  cli: Cli,
  found: FoundSession,
  { seen, keys, isOnScreen }: Watched,
): Promise<Seen | "background"> {
  if (!isOnScreen) return viewSession(cli, found, seen);
  // Imported only here: it takes longer to load than most commands take to run.
  const { watchScreen } = await import("../../tui/watch/watch-screen.ts");
  const end = await watchScreen(cli, found, { seen, keys });
  if (end === "background") return end;
  const counted = countRecords(cli.host.files, found.home);
  return counted.ok ? counted.value : seen;
}

function inBackground({ terminal }: Cli, { session }: FoundSession): Outcome {
  const { id } = session;
  terminal.err(`${id} continues in the background. To come back: wisp up ${id}`);
  terminal.err(`To see its state: wisp status ${id}. To stop it: wisp stop ${id}`);
  return ok(EXIT.ok);
}

/** Loads what writes the report. */
async function loadReport() {
  const [{ writeLastReport }] = await Promise.all([
    import("../../actions/report/write-report-page.ts"),
    import("../../views/report/page/report-page.ts"),
  ]);
  return writeLastReport;
}

/** Reports the result. */
async function finish(
  cli: Cli,
  found: FoundSession,
  read: ReadStatus,
  interrupts: number,
): Promise<Outcome> {
  const { terminal } = cli;
  const { view } = read;
  const writeLastReport = await loadReport();
  const page = interrupts > 0 ? undefined : await writeLastReport(cli, found, read);
  const path = page?.ok === true ? page.value : undefined;
  showRows(terminal, [row(""), ...summaryRows(view, found.session, path)]);
  // The session is what it is, with or without its report.
  if (page?.ok === false)
    terminal.err(`wisp: The report was not written. ${page.failure.words()[0]}`);
  if (isRewritten(read.state)) return fail(await branchRewritten(cli, found, read.state));
  if (interrupts === 0 && isAbandoned(read.state, cli.host.clock.nowMs()))
    return fail(supervisorGone(cli, found));
  return ok(interrupts > 0 ? EXIT.interrupted : sessionExitCode(read.state));
}
