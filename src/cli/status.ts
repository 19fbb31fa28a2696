import { ok } from "../base/result.ts";
import type { Cli, Outcome } from "./cli.ts";
import { EXIT } from "./exit-codes.ts";
import { allSessions, findSession } from "./find-session.ts";
import { releaseIdle } from "./hibernate.ts";
import { createPaint } from "./paint.ts";
import { readStatus } from "./read-status.ts";
import { count } from "./sentence.ts";
import { statusText } from "./status-text.ts";

/** `wisp status`: one screen, or one JSON object, about a session as its files stand now. */
export async function status(
  cli: Cli,
  options: { readonly session: string | undefined; readonly json: boolean },
): Promise<Outcome> {
  const { host, terminal } = cli;
  const found = findSession(host.files, cli.cwd, options.session);
  if (!found.ok) return found;
  const read = await readStatus(cli, found.value);
  if (!read.ok) return read;
  const { view } = read.value;
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
