import { EXIT } from "../../base/exit-code.ts";
import { need } from "../../base/fatal.ts";
import { ok } from "../../base/result.ts";
import { attachRole, chooseAttachedEngine } from "../../actions/attach/attach-role.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findSession } from "../../workspace/find-session.ts";
import { roleAndSession, type TypedNames } from "../../workspace/role-and-session.ts";

/** `wisp attach`: a person takes a role's place, with its engine, in its clone. */
export async function attach(
  cli: Cli,
  options: TypedNames & { readonly dryRun: boolean },
): Promise<Outcome> {
  const named = need(roleAndSession("attach", options));
  const { role = "builder", session } = named;
  const found = need(findSession(cli.host.files, cli.cwd, session));
  if (!options.dryRun) {
    const left = await attachRole(cli, found, role);
    for (const line of left) cli.terminal.err(line);
    return ok(EXIT.ok);
  }
  const chosen = await chooseAttachedEngine(cli, found, role);
  const { engine, resume } = chosen;
  const how = resume === undefined ? "a new session of it" : `its session ${resume}`;
  cli.terminal.err(`Would interrupt the ${role}, and open ${engine.name} with ${how}.`);
  cli.terminal.err("Nothing was done.");
  return ok(EXIT.ok);
}
