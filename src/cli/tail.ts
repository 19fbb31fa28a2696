import { fail, ok, type Result } from "../base/result.ts";
import { ROLES, type Role } from "../base/role.ts";
import type { Cli, Outcome } from "./cli.ts";
import { EXIT } from "./exit-codes.ts";
import type { Usage } from "./failures.ts";
import { findSession } from "./find-session.ts";
import { noTurnWords } from "./render-turn.ts";
import { ShownTurns } from "./shown-turns.ts";

export interface TailOptions {
  /** A role, a session, or both, in either order. */
  readonly words: readonly string[];
  readonly follow: boolean;
  /** The bytes as the engine printed them. */
  readonly raw: boolean;
}

/** `wisp tail`: what the engine says in the newest turn of a role; with `-f` also in those to come. */
export async function tail(cli: Cli, options: TailOptions): Promise<Outcome> {
  const named = readWords(options.words);
  if (!named.ok) return named;
  const { role, session } = named.value;
  const found = findSession(cli.host.files, cli.cwd, session);
  if (!found.ok) return found;
  const roles = role === undefined ? ROLES : [role];
  const shown = new ShownTurns(cli, found.value, { roles, raw: options.raw });
  const first = shown.read(options.follow ? "open" : "ended");
  if (!first.ok) return first;
  if (!options.follow) {
    if (!shown.hasAny) cli.terminal.err(noTurnWords(role));
    return ok(EXIT.ok);
  }
  const { followTurns } = await import("./follow-turns.ts");
  const failure = await followTurns(cli.host, found.value.home, { roles, shown });
  return failure === undefined ? ok(EXIT.ok) : fail(failure);
}

interface Named {
  readonly role: Role | undefined;
  readonly session: string | undefined;
}

function readWords(words: readonly string[]): Result<Named, Usage> {
  const role = ROLES.find((one) => words.includes(one));
  const at = role === undefined ? -1 : words.indexOf(role);
  const [session, ...more] = words.filter((_, index) => index !== at);
  if (more.length === 0) return ok({ role, session });
  const problem = `one role (${ROLES.join(", ")}) and one session: ${words.join(" ")}`;
  return fail({ kind: "usage", problem: `wisp tail takes ${problem}` });
}
