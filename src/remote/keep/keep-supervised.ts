import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { KEEP_LOOK_MS, KEEP_STARTS_MAX } from "../../base/limits.ts";
import type { Clock } from "../../base/ports/clock.ts";
import type { Daemon } from "../../base/ports/processes.ts";
import { daemonMark } from "../../agents/supervisor/daemon-mark.ts";
import { supervisorOutput } from "../../agents/supervisor/ensure-supervisor.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { readLeases } from "../../workspace/session/read-leases.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { isAbandoned } from "../../workspace/session/session-end.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { lastingArgv } from "../../workspace/lasting-program.ts";
import type { World } from "../../workspace/world.ts";

/** What a keeper is given. */
export interface Keeping {
  /** The session to keep, or its revision that is under way. */
  readonly current: () => Promise<FoundSession>;
  readonly signal: AbortSignal;
}

/**
 * Keeps a supervisor running for a session as long as the session is not over, stopped, or waiting for a person: the
 * one process that an executor starts, watches and ends at a place. The supervisor is its child, so that it belongs to
 * the same job or service. When `signal` aborts, the supervisor is asked to end, which loses no work.
 *
 * @returns the exit code
 */
export async function keepSupervised(world: World, { current, signal }: Keeping): Promise<number> {
  const { clock, processes } = world.host;
  let starts = 0;
  let own: Daemon | undefined;
  signal.addEventListener("abort", () => {
    if (own !== undefined) processes.signal(own.pid, "SIGTERM");
  });
  while (!signal.aborted) {
    const found = await current();
    if ((await readLeases(world.host, found.home)).has("supervisor")) {
      await clock.sleep(KEEP_LOOK_MS, signal);
      continue;
    }
    const { state } = need(await readState(world, found));
    // An earlier keeper was asked to end, which is no reason not to go on now.
    const hasWork = starts === 0 ? mayGoOn(state) : isAbandoned(state, clock.nowMs());
    if (!hasWork) return EXIT.ok;
    if (++starts > KEEP_STARTS_MAX) return EXIT.stuck;
    own = startSupervisor(world, found);
    await untilEnded(own, clock);
    own = undefined;
  }
  return EXIT.ok;
}

/** A daemon does not keep this process alive, so that only what waits for it here does. */
async function untilEnded({ ended }: Daemon, clock: Clock): Promise<void> {
  const over = new AbortController();
  void ended.then(() => over.abort());
  while (!over.signal.aborted) await clock.sleep(KEEP_LOOK_MS, over.signal);
}

function mayGoOn({ human, ...state }: SessionState): boolean {
  return human.closed === undefined && !human.stopped && endOf({ human, ...state }) === undefined;
}

function startSupervisor(world: World, { home, session }: FoundSession): Daemon {
  const { files, processes } = world.host;
  need(files.makeDirectory(home.logs));
  return need(
    processes.daemon({
      argv: lastingArgv(world, "supervise", session.id),
      cwd: session.repository,
      env: { ...world.env, WISP_NO_INPUT: "1" },
      logPath: supervisorOutput(home),
      mark: daemonMark(home, "supervisor"),
    }),
  );
}
