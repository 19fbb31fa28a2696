import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { costRows } from "../../views/cost/cost-rows.ts";
import { costView } from "../../views/cost/cost-view.ts";
import type { CostBy } from "../../base/choices.ts";
import { findSession } from "../../workspace/find-session.ts";
import { showView } from "../../terminal/show-view.ts";
import { readState } from "../../workspace/session/read-state.ts";

export interface CostOptions {
  readonly session: string | undefined;
  readonly by: CostBy;
  readonly json: boolean;
}

/** `wisp cost`: what a session's turns used, and how much of its budget that is. */
export async function cost(cli: Cli, options: CostOptions): Promise<Outcome> {
  const { host, terminal } = cli;
  const found = need(findSession(host.files, cli.cwd, options.session));
  const read = need(await readState(cli, found));
  const view = costView(found.session.id, read.state, options.by);
  showView(terminal, { json: options.json, view, rows: () => costRows(view) });
  return ok(EXIT.ok);
}
