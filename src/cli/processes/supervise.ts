import { ReplaySubject } from "rxjs";
import { shareBudget } from "../../actions/fleet/share-budget-left.ts";
import { ensureQueue } from "../../actions/queue/ensure-queue.ts";
import { attempted, need } from "../../base/fatal.ts";
import { homeHost } from "../../work/home-host.ts";
import { runSupervisor } from "../../agents/supervisor/run-supervisor.ts";
import { EXIT } from "../../base/exit-code.ts";
import { supervisorOutput } from "../../agents/supervisor/ensure-supervisor.ts";
import { passGate } from "../../host/processes/pass-gate.ts";
import { takeOutput } from "../../host/processes/take-output.ts";
import { ok } from "../../base/result.ts";
import { openHub } from "../../git/repository/hub.ts";
import { gitContext, wispArgv } from "../../workspace/world.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { homeDamaged } from "../../workspace/cause-in-home.ts";
import { findSession } from "../../workspace/find-session.ts";
import { damagedWords } from "../../workspace/home-failures.ts";
import { notifyCommand } from "./notify-command.ts";
import { isInputRefused } from "../../terminal/terminal.ts";

/** The first signal requests a stop, the second forces it; further ones change nothing. */
const SIGNALS_MAX = 2;

/** `wisp supervise`: the process that `up` starts and that outlives its terminal. */
export async function supervise(
  cli: Cli,
  options: {
    readonly session: string;
    /** Only load the code, until the process that started this one has created the session. */
    readonly whenTold?: boolean | undefined;
  },
): Promise<Outcome> {
  const isEarly = options.whenTold === true;
  if (isEarly && !passGate()) return ok(EXIT.ok);
  // Handled before any other process can know of this one: an unhandled signal would end it immediately,
  // and leave the roles unsupervised.
  const stop$ = new ReplaySubject<void>(SIGNALS_MAX);
  for (const signalName of ["SIGTERM", "SIGINT"] as const) {
    process.on(signalName, () => {
      stop$.next();
    });
  }
  const found = need(findSession(cli.host.files, cli.cwd, options.session));
  const { home, session } = found;
  // If it cannot be opened, the output is lost; the same fault of the disk stops the supervisor's log.
  if (isEarly) takeOutput(supervisorOutput(home));
  // Loaded only now: hardly any session's spans are exported.
  const spans = wantsSpans(cli.env)
    ? import("./export-spans.ts").then(({ exportSpans }) => exportSpans(cli, found))
    : undefined;
  // Whatever goes wrong with it is no reason to stop work.
  spans?.catch(() => undefined);
  const code = await runSupervisor(homeHost(cli.host, found), {
    home,
    session,
    hub: openHub(gitContext(cli), session.repository),
    pid: process.pid,
    roleArgv: (role) => wispArgv(cli, "agent", role, session.id),
    program: cli.program,
    env: cli.env,
    stop$,
    damage: () => {
      const damaged = homeDamaged(found);
      return damaged && damagedWords(damaged);
    },
    notify: notifyCommand(cli, session),
    noInput: isInputRefused(cli.env),
    hasGates: true,
    askFleet: session.fleet === undefined ? undefined : () => shareBudget(cli, found),
  });
  await spans?.then((one) => one?.end()).catch(() => undefined);
  // What the session did not use is another one's now; or it waits for what others did not use.
  const isAsked = code === EXIT.interrupted || code === EXIT.leaseHeld;
  if (!isAsked) await shareBudget(cli, found);
  // Its place may be free for the next one. Whatever goes wrong with that is not this session's.
  await attempted(() => ensureQueue(cli));
  return ok(code);
}

/** Whether a standard variable of OpenTelemetry names a collector, and none turns it off. */
function wantsSpans(env: Cli["env"]): boolean {
  const isOff =
    env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || env["OTEL_TRACES_EXPORTER"] === "none";
  const endpoint =
    (env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] ?? "") + (env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "");
  return endpoint !== "" && !isOff;
}
