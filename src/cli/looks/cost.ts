import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { costText } from "../../views/cost/cost-text.ts";
import { costView } from "../../views/cost/cost-view.ts";
import type { CostBy } from "../../base/choices.ts";
import { findSession } from "../../workspace/find-session.ts";
import { createPaint } from "../../terminal/paint.ts";
import { readState } from "../../workspace/session/read-state.ts";

export interface CostOptions {
  readonly session: string | undefined;
  readonly by: CostBy;
  readonly json: boolean;
}

/** `wisp cost`: what the turns of a session used, and how much of its budget that is. */
export async function cost(cli: Cli, options: CostOptions): Promise<Outcome> {
  const { host, terminal } = cli;
  const found = need(findSession(host.files, cli.cwd, options.session));
  const read = need(await readState(cli, found));
  const view = costView(found.session.id, read.state, options.by);
  terminal.out(
    options.json
      ? JSON.stringify(view, undefined, 2)
      : costText(view, createPaint(terminal.outHasColors)),
  );
  return ok(EXIT.ok);
}
