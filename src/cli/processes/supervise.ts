import { ReplaySubject } from "rxjs";
import { need } from "../../base/fatal.ts";
import { homeHost } from "../../agents/work/home-host.ts";
import { runSupervisor } from "../../agents/supervisor/run-supervisor.ts";
import { ok } from "../../base/result.ts";
import { openHub } from "../../git/repository/hub.ts";
import { gitContext, wispArgv } from "../../workspace/world.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findSession } from "../../workspace/find-session.ts";
import { notifyCommand } from "./notify-command.ts";
import { isInputRefused } from "../../terminal/terminal.ts";

/** The first signal requests a stop, the second forces it; further ones change nothing. */
const SIGNALS_MAX = 2;

/** `wisp supervise`: the process that `up` starts and that outlives its terminal. */
export async function supervise(cli: Cli, options: { readonly session: string }): Promise<Outcome> {
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
  const code = await runSupervisor(homeHost(cli.host, found), {
    home,
    session,
    hub: openHub(gitContext(cli), session.repository),
    pid: process.pid,
    roleArgv: (role) => wispArgv(cli, "agent", role, session.id),
    program: cli.program,
    env: cli.env,
    stop$,
    notify: notifyCommand(cli, session),
    noInput: isInputRefused(cli.env),
    hasGates: true,
  });
  return ok(code);
}
