import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** Shows what happens in a session that runs elsewhere, from its mirror here. */
export async function showMirrored(
  cli: Cli,
  { session, mirrors }: FoundSession,
  _options: { readonly detach: boolean; readonly json: boolean; readonly plain: boolean },
): Promise<Outcome> {
  const { id } = session;
  cli.terminal.err(
    `${id} is running on ${shown(mirrors?.executor ?? "")}. To see its state: wisp status ${id}`,
  );
  return Promise.resolve(ok(EXIT.ok));
}
