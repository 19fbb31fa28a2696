import { join } from "node:path";
import { editPlan, type PlanToDecide } from "../../actions/plan/decide-plan.ts";
import { EXIT } from "../../base/exit-code.ts";
import { need } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX, PLAN_DIGEST_SHOWN_CHARS } from "../../base/limits.ts";
import { ok } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { openEditor } from "../../terminal/open-editor.ts";
import { approveCommand } from "../../views/next/approve-command.ts";

/**
 * Opens the waiting plan in the person's editor. A text that they leave as it is, or empty, decides nothing: an editor
 * may return before anybody has typed. A text that is refused is kept, and the next edit of the same plan begins with it.
 *
 * @param text the waiting plan
 */
export async function editHere(cli: Cli, decided: PlanToDecide, text: string): Promise<Outcome> {
  const { files } = cli.host;
  const { id, state } = decided.found.session;
  const { plan } = decided.waiting.staged;
  const directory = join(state, "edited");
  const kept = join(directory, `refused-plan-${plan.slice(0, PLAN_DIGEST_SHOWN_CHARS)}.md`);
  const refused = need(files.read(kept, DOCUMENT_BYTES_MAX));
  if (refused !== undefined) {
    cli.terminal.err(`The editor begins with your text that was refused, from ${shown(kept)}.`);
  }
  const begin = refused === undefined ? text : new TextDecoder().decode(refused);
  // A name of its own: neither another editor nor a second attempt overwrites what a person has typed.
  const name = `edited-plan-${String(process.pid)}.md`;
  const edited = await openEditor(cli, { directory, name, text: begin.trimEnd() });
  if (edited === undefined) return ok(EXIT.failure);
  const isEmpty = edited.trim() === "";
  if (isEmpty || edited.trimEnd() === text.trimEnd()) {
    const what = isEmpty ? "The edited plan is empty." : "The plan is as it was.";
    cli.terminal.err(`${what} Nothing was recorded. To approve the plan as it was:`);
    cli.terminal.err(approveCommand(id, plan));
    return ok(isEmpty ? EXIT.failure : EXIT.ok);
  }
  need(files.replace(kept, Buffer.from(edited)));
  await editPlan(cli, decided, { text: edited, kept });
  need(files.remove(kept));
  return ok(EXIT.ok);
}
