import { need, CannotGoOn } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { REASON_CHARS_MAX } from "../../base/limits.ts";
import { ok } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { Usage } from "../../workspace/usage.ts";
import type { FindingView } from "../../views/findings/findings-view.ts";
import { findSession } from "../../workspace/find-session.ts";
import { dismissedWords, dismissItem, itemToDismiss } from "../../actions/findings/dismiss-item.ts";
import { sentence } from "../../base/words/sentence.ts";
import type { JudgedFindingView } from "./findings-add.ts";

interface Dismissal {
  readonly session: string | undefined;
  readonly id: string;
  readonly why: string;
  /** Only show what would be dismissed. */
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** `wisp findings dismiss`: a person closes a finding or bug for good, with a reason. */
export async function dismissFinding(cli: Cli, dismissal: Dismissal): Promise<Outcome> {
  const found = need(findSession(cli.host.files, cli.cwd, dismissal.session));
  const why = reasonOf(dismissal.why);
  const chosen = await itemToDismiss(cli, found, dismissal.id);
  if (dismissal.dryRun) return sayDismissed(cli, dismissal, chosen);
  const isNew = await dismissItem(cli, found, { id: chosen.id, why });
  return sayDismissed(cli, dismissal, chosen, isNew);
}

function sayDismissed(
  { terminal }: Cli,
  { dryRun, json }: Dismissal,
  { id, brief }: FindingView,
  isNew = true,
): Outcome {
  if (dryRun) {
    terminal.err(sentence("plain", `Would dismiss ${id}: ${brief}`).text);
    terminal.err("Nothing was done.");
  } else terminal.err(dismissedWords(id, isNew));
  const view: JudgedFindingView = {
    schema: "wisp.finding/1",
    isDryRun: dryRun,
    isNew,
    dismissed: id,
  };
  if (json) terminal.out(JSON.stringify(view, undefined, 2));
  return ok(EXIT.ok);
}

function reasonOf(why: string): string {
  const reason = cleanText(why, { charsMax: Number.MAX_SAFE_INTEGER, lines: "many" });
  if (reason === "") throw new CannotGoOn(Usage({ problem: "--why needs a reason" }));
  if (reason.length <= REASON_CHARS_MAX) return reason;
  const max = String(REASON_CHARS_MAX);
  throw new CannotGoOn(Usage({ problem: `the reason is longer than ${max} characters` }));
}
