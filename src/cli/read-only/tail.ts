import { followed } from "./followed.ts";
import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { fail, ok } from "../../base/result.ts";
import { ROLES } from "../../base/role.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findSession } from "../../workspace/find-session.ts";
import { noTurnWords } from "../../views/timeline/render-turn.ts";
import { roleAndSession, type TypedNames } from "../../workspace/role-and-session.ts";
import { ShownTurns } from "./shown-turns.ts";

export interface TailOptions extends TypedNames {
  readonly follow: boolean;
  /** The engine's output unchanged. */
  readonly raw: boolean;
}

/** `wisp tail`: what the engine says in a role's latest turn; with `-f` also in later ones. */
export async function tail(cli: Cli, options: TailOptions): Promise<Outcome> {
  const named = need(roleAndSession("tail", options));
  const { role, session } = named;
  const found = need(findSession(cli.host.files, cli.cwd, session));
  if (found.mirrors !== undefined) await followed(cli, found);
  const roles = role === undefined ? ROLES : [role];
  const shown = new ShownTurns(cli, found, { roles, raw: options.raw });
  need(shown.read(options.follow ? "open" : "ended"));
  if (!options.follow) {
    if (!shown.hasAny) cli.terminal.err(noTurnWords(role));
    return ok(EXIT.ok);
  }
  const { followWork } = await import("./follow-work.ts");
  const failure = await followWork(cli.host, found.home, { roles, shown });
  return failure === undefined ? ok(EXIT.ok) : fail(failure);
}
