import { Oid } from "../../base/oid.ts";
import { EXIT } from "../../base/exit-code.ts";
import { need } from "../../base/fatal.ts";
import { fail, ok } from "../../base/result.ts";
import { takeCommits } from "../../remote/branch/take-commits.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findSession } from "../../workspace/find-session.ts";
import { Usage } from "../../workspace/usage.ts";
import { ownPlace } from "./own-place.ts";

/** `wisp far take-commits`: moves the branch of a session to the commits that a person made elsewhere and sent. */
export async function takeSentCommits(
  cli: Cli,
  session: string,
  { at: text }: { readonly at: string },
): Promise<Outcome> {
  const { root } = need(ownPlace(cli));
  const at = Oid.safeParse(text);
  if (!at.success) return fail(Usage({ problem: "--at takes a commit" }));
  const found = need(findSession(cli.host.files, cli.cwd, session));
  cli.terminal.out(JSON.stringify(await takeCommits(cli, found, { root, at: at.data })));
  return ok(EXIT.ok);
}
