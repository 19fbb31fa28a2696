import { recordGiven, recordGranted } from "../../actions/fleet/record-share.ts";
import { EXIT } from "../../base/exit-code.ts";
import { need } from "../../base/fatal.ts";
import { fail, ok } from "../../base/result.ts";
import { parseBudget } from "../../settings/schema/budget-setting.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findSession } from "../../workspace/find-session.ts";
import { Usage } from "../../workspace/usage.ts";
import { ownPlace } from "./own-place.ts";

/** A share of a budget, as another machine's wisp names it. */
export interface ShareWords {
  /** Its id. */
  readonly share: string;
  /** In the form of `--budget`. */
  readonly amounts: string;
}

/** `wisp far give`: records that the session of this place gives a share of its budget, if it may. */
export async function giveShare(
  cli: Cli,
  session: string,
  {
    share: id,
    to,
    amounts,
    givenUp = false,
  }: ShareWords & { readonly to: string; readonly givenUp?: boolean },
): Promise<Outcome> {
  need(ownPlace(cli));
  const parsed = parseBudget(amounts);
  if (!parsed.ok) return fail(Usage({ problem: `--amounts: ${parsed.failure}` }));
  const found = need(findSession(cli.host.files, cli.cwd, session));
  await recordGiven(cli, found, { id, to, amounts: parsed.value }, givenUp);
  return ok(EXIT.ok);
}

/** `wisp far grant`: records that the session of this place was granted a share, once. */
export async function grantShare(
  cli: Cli,
  session: string,
  { share: id, from, amounts }: ShareWords & { readonly from: string },
): Promise<Outcome> {
  need(ownPlace(cli));
  const parsed = parseBudget(amounts);
  if (!parsed.ok) return fail(Usage({ problem: `--amounts: ${parsed.failure}` }));
  const found = need(findSession(cli.host.files, cli.cwd, session));
  await recordGranted(cli, found, { id, from, amounts: parsed.value });
  return ok(EXIT.ok);
}
