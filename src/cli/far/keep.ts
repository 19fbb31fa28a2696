import { unfinishedRevision } from "../../actions/revise/create-revision.ts";
import { need } from "../../base/fatal.ts";
import { ok } from "../../base/result.ts";
import { onSignals } from "../../host/processes/on-signals.ts";
import { keepSupervised } from "../../remote/keep/keep-supervised.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findSession } from "../../workspace/find-session.ts";
import { ownPlace } from "./own-place.ts";

/** `wisp far keep`: keeps the session of this place supervised until it is over or this process is asked to end. */
export async function keepSession(cli: Cli, session: string): Promise<Outcome> {
  need(ownPlace(cli));
  const end = new AbortController();
  onSignals(["SIGTERM", "SIGINT", "SIGHUP"], () => end.abort());
  const found = need(findSession(cli.host.files, cli.cwd, session));
  const current = async () => (await unfinishedRevision(cli, found)) ?? found;
  return ok(await keepSupervised(cli, { current, signal: end.signal }));
}
