import { ok } from "../base/result.ts";
import type { Cli, Outcome } from "./cli.ts";
import { EXIT } from "./exit-codes.ts";
import { allSessions, findSession } from "./find-session.ts";
import { hasClones, releaseIdle } from "./hibernate.ts";
import { homeTrouble, supervisorSaid } from "./home-troubles.ts";
import { createPaint } from "./paint.ts";
import { readLeases } from "./read-leases.ts";
import { readState } from "./read-state.ts";
import { lookAtEnd } from "./read-unusual.ts";
import { readRevisedWork, withRevisions } from "./revised-work.ts";
import { refusedNow } from "./refused-now.ts";
import { countRevised, readRevisions } from "./revisions-view.ts";
import { count } from "./sentence.ts";
import { statusText } from "./status-text.ts";
import { statusView } from "./status-view.ts";

/** `wisp status`: one screen, or one JSON object, about a session as its files stand now. */
export async function status(
  cli: Cli,
  options: { readonly session: string | undefined; readonly json: boolean },
): Promise<Outcome> {
  const { host, terminal } = cli;
  const found = findSession(host.files, cli.cwd, options.session);
  if (!found.ok) return found;
  const alive = await readLeases(host, found.value.home);
  const read = await readState(cli, found.value);
  if (!read.ok) return read;
  const { home } = found.value;
  const revised = await readRevisedWork(cli, found.value);
  const own = statusView({
    ...found.value,
    ...read.value,
    alive,
    refusedNow: refusedNow(host.files, home, read.value.state),
    homeTrouble: homeTrouble(home),
    supervisorSaid: supervisorSaid(host.files, home),
    revised: countRevised(cli, found.value),
    revisions: await readRevisions(cli, found.value),
    hasClones: hasClones(cli, found.value),
    ...(await lookAtEnd(cli, found.value.session, read.value.state)),
    nowMs: host.clock.nowMs(),
  });
  const view = withRevisions(own, read.value.state, revised.ok ? revised.value : []);
  terminal.out(
    options.json
      ? JSON.stringify(view, undefined, 2)
      : statusText(view, createPaint(terminal.outHasColors)),
  );
  if (!options.json && options.session === undefined) sayOthers(cli);
  await releaseIdle(cli, [found.value]);
  return ok(EXIT.ok);
}

/** Whoever names no session may have meant another than the newest. */
function sayOthers({ host, terminal, cwd }: Cli): void {
  const all = allSessions(host.files, cwd);
  const others = all.ok ? all.value.sessions.length - 1 : 0;
  if (others > 0) terminal.err(`${count(others, "other session")} here: wisp list`);
}
