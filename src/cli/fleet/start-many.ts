import { EXIT } from "../../base/exit-code.ts";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { MIRROR_LOOK_MS } from "../../base/limits.ts";
import { QUEUE_WAIT_MS_MAX } from "../../base/queue-limits.ts";
import { fail, ok } from "../../base/result.ts";
import { sha256 } from "../../base/sha256.ts";
import { shown } from "../../base/words/shown.ts";
import { enqueue, type QueuedRequest } from "../../actions/queue/enqueue.ts";
import { hasOwnLanes } from "../../actions/queue/begin-entry.ts";
import { ensureQueue } from "../../actions/queue/ensure-queue.ts";
import { dueOfFleet, SessionStands } from "../../actions/queue/fleet-stands.ts";
import { readRequest, type Request } from "../../actions/start/read-request.ts";
import { readBudgets } from "../../actions/start/budget-words.ts";
import { checkEngineWords } from "../../actions/start/engine-words.ts";
import { trustCommands } from "../../actions/start/trust-commands.ts";
import { findRepository, type Repository } from "../../git/repository/repository.ts";
import { openExecutor } from "../../remote/open-executor.ts";
import { namedCommands } from "../../settings/config/named-commands.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { showRows } from "../../terminal/show-view.ts";
import { count } from "../../base/words/sentence.ts";
import {
  startedRequest,
  startsRows,
  type StartedRequest,
  type StartsView,
} from "../../views/queue/starts-view.ts";
import { queueOutput, readFleet, type Fleet } from "../../workspace/queue/queue-files.ts";
import { readSettings } from "../../workspace/settings/read-settings.ts";
import { Usage } from "../../workspace/usage.ts";
import { gitContext } from "../../workspace/world.ts";
import type { StartOptions } from "../commands/start.ts";

interface StartManyOptions extends Omit<StartOptions, "request" | "branch"> {
  readonly requests: readonly string[];
  /** How many of the sessions may be unfinished at a time. */
  readonly max: number | undefined;
  /** The executor, as a person names it; undefined: here. */
  readonly on: string | undefined;
  readonly branch?: string | undefined;
  readonly trace?: string | undefined;
  readonly dryRun: boolean;
  /** False to accept a place at which no sandbox works. */
  readonly sandbox: boolean;
  readonly milestoneBudget?: string | undefined;
}

const UNFIT = ["branch", "record", "trace"] as const;

/** `wisp start` of more than one request: queues them, and tells what became of each as soon as each was tried once. */
export async function startMany(cli: Cli, options: StartManyOptions): Promise<Outcome> {
  const unfit = UNFIT.find((name) => options[name] !== undefined);
  if (unfit !== undefined) return usage(`--${unfit} is for a single request`);
  if (options.dryRun) return usage("--dry-run is for a single request");
  if (options.requests.includes("-")) return usage("standard input is a single request");
  const requests = readRequests(cli, options);
  readBudgets(options);
  checkEngineWords(options);
  if (options.on !== undefined) need(await openExecutor(cli, options.on));
  const repository = need(await findRepository(gitContext(cli), cli.cwd));
  const isTrusted = await trusted(cli, repository, options);
  if (!isTrusted) {
    cli.terminal.err("Nothing was queued.");
    return ok(EXIT.failure);
  }
  const queued = await enqueue(cli, repository, { requests, how: howOf(options) });
  const rows = await awaitTried(cli, repository, queued);
  return say(cli, options, { rows, repository });
}

function usage(problem: string): Outcome {
  return fail(Usage({ problem }));
}

/** All requests, each content once. One that cannot be read prevents all. */
function readRequests(
  { host: { files }, cwd, tell }: Cli,
  { requests, plan: isProse = false }: StartManyOptions,
): readonly Request[] {
  const read = requests.map((path) => readRequest(files, path, { cwd, isProse }));
  const first = new Map<string, Request>();
  for (const request of read) {
    const same = first.get(sha256(request.bytes));
    if (same === undefined) first.set(sha256(request.bytes), request);
    else tell(`${shown(request.path)} is the same request as ${shown(same.path)}: started once.`);
  }
  return [...first.values()];
}

/** Asks once for all sessions. */
async function trusted(
  cli: Cli,
  { directory }: Repository,
  { yes, json }: StartManyOptions,
): Promise<boolean> {
  const commands = namedCommands(need(readSettings(cli.host.files, directory)));
  const how = { isSure: yes, isProgram: json, command: "wisp start <requests> --yes" };
  const agreed = await trustCommands(cli, { repository: directory, commands }, how);
  agreed?.remember();
  return agreed !== undefined;
}

function howOf(options: StartManyOptions): Parameters<typeof enqueue>[2]["how"] {
  const { on, max, up, again = false, plan = false, strict = false, noFix = false } = options;
  const { budget, milestoneBudget, sandbox, acceptRedBase = false, engine, model } = options;
  const flags = { up, again, plan, strict, noFix, withoutSandbox: !sandbox };
  return {
    ...(on === undefined ? {} : { on }),
    ...(max === undefined ? {} : { max }),
    options: {
      ...flags,
      ...(acceptRedBase ? { acceptRedBase } : {}),
      ...(budget === undefined ? {} : { budget }),
      ...(milestoneBudget === undefined ? {} : { milestoneBudget }),
      ...(engine === undefined ? {} : { engine: [...engine] }),
      ...(model === undefined ? {} : { model: [...model] }),
    },
  };
}

/** Waits until each request was tried once, or waits for another one's session, and has the queue worked off meanwhile. */
async function awaitTried(
  cli: Cli,
  repository: Repository,
  queued: readonly QueuedRequest[],
): Promise<readonly StartedRequest[]> {
  const { clock } = cli.host;
  const stands = new SessionStands(cli, repository.directory);
  const endsMs = clock.nowMs() + QUEUE_WAIT_MS_MAX;
  for (;;) {
    await ensureQueue({ ...cli, cwd: repository.directory });
    const fleets = fleetsOf(cli, queued);
    const isTried = await Promise.all(
      [...fleets.values()].map((fleet) => settled(cli, fleet, stands)),
    );
    if (isTried.every(Boolean) || clock.nowMs() > endsMs) {
      return queued.flatMap(({ fleet: { directory }, number }) => {
        const fleet = fleets.get(directory);
        const entry = fleet?.entries.find((one) => one.number === number);
        return fleet === undefined || entry === undefined
          ? []
          : [startedRequest(fleet.json, entry, clock.nowMs())];
      });
    }
    await clock.sleep(MIRROR_LOOK_MS);
  }
}

function fleetsOf({ host: { files } }: Cli, queued: readonly QueuedRequest[]) {
  const fleets = new Map<string, Fleet>();
  for (const { fleet } of queued) {
    const read = readFleet(files, fleet.directory);
    if (read === undefined) throw new CannotGoOn(Usage({ problem: "the queue was removed" }));
    fleets.set(fleet.directory, read);
  }
  return fleets;
}

/** Whether nothing of a fleet is being started now, or should be. */
async function settled(cli: Cli, fleet: Fleet, stands: SessionStands): Promise<boolean> {
  const nowMs = cli.host.clock.nowMs();
  const isStarting = fleet.entries.some(
    ({ state, reason }) => state === "claimed" && reason === undefined,
  );
  if (isStarting) return false;
  const hasLanes = await hasOwnLanes(cli, fleet.json);
  const due = await dueOfFleet(fleet, stands, { nowMs, hasLanes });
  const isTried = (number: number) =>
    fleet.entries.some((entry) => entry.number === number && entry.reason !== undefined);
  return due.every(({ number }) => isTried(number));
}

interface Said {
  readonly rows: readonly StartedRequest[];
  readonly repository: Repository;
}

function say(cli: Cli, { json }: StartManyOptions, { rows, repository }: Said): Outcome {
  const { terminal } = cli;
  const view: StartsView = { schema: "wisp.starts/1", requests: rows };
  if (json) terminal.out(JSON.stringify(view, undefined, 2));
  else showRows(terminal, startsRows(rows));
  const of = (...states: readonly StartedRequest["state"][]) =>
    rows.filter(({ state }) => states.includes(state)).length;
  const waits = of("waiting", "submitted", "retrying", "starting");
  if (waits > 0) {
    const log = shown(queueOutput(repository.directory));
    terminal.err(
      `${count(waits, "request")} in the queue, which goes on in the background: ${log}`,
    );
  }
  terminal.err("To see all sessions: wisp list --all");
  return ok(of("failed", "retrying") > 0 ? EXIT.failure : EXIT.ok);
}
