import { followed } from "./followed.ts";
import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { traced, type SpanOf } from "../../base/ports/trace.ts";
import { ok } from "../../base/result.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { countSessions, findSession } from "../../workspace/find-session.ts";
import { releaseIdle } from "../../actions/up/hibernate.ts";
import { showView } from "../../terminal/show-view.ts";
import { readStatus } from "../../views/status/read-status.ts";
import { count } from "../../base/words/sentence.ts";
import { statusRows } from "../../views/status/status-rows.ts";

const READ: SpanOf = { category: "read", name: "status" };

/** `wisp status`: one screen, or one JSON object, about a session as its files are now. */
export async function status(
  cli: Cli,
  options: { readonly session: string | undefined; readonly json: boolean },
): Promise<Outcome> {
  const { host, terminal } = cli;
  const found = need(findSession(host.files, cli.cwd, options.session));
  if (found.mirrors !== undefined) await followed(cli, found);
  const read = need(await traced(READ, () => readStatus(cli, found)));
  const { view } = read;
  showView(terminal, { json: options.json, view, rows: () => statusRows(view) });
  if (!options.json && options.session === undefined) sayOthers(cli);
  await releaseIdle(cli, [found]);
  return ok(EXIT.ok);
}

/** A person who names no session may have meant another than the newest. */
function sayOthers({ host, terminal, cwd }: Cli): void {
  const others = countSessions(host.files, cwd) - 1;
  if (others > 0) terminal.err(`${count(others, "other session")} here: wisp list`);
}
