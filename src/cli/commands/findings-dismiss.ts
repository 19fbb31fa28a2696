import { stateFor } from "../../workspace/session/session-for.ts";
import { need, CannotGoOn } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import { REASON_CHARS_MAX } from "../../base/limits.ts";
import { ok } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { appendHuman } from "../../workspace/session/append-human.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { Usage } from "../../workspace/usage.ts";
import { findingsView, type FindingView } from "../../views/findings/findings-view.ts";
import { findSession } from "../../workspace/find-session.ts";
import { ensureRunning } from "../../actions/up/ensure-running.ts";
import { sentence } from "../../base/words/sentence.ts";
import type { JudgedFindingView } from "./findings-add.ts";

/** How many ids a message names. */
const NAMED_MAX = 10;

interface Asked {
  readonly session: string;
  readonly asked: string;
  readonly known: readonly string[];
}

/** The session has no finding or bug with that id. */
export const NoSuchFinding = refusal(
  "no-such-finding",
  EXIT.usage,
  ({ session, asked, known }: Asked) => {
    const named = known.slice(0, NAMED_MAX).join(", ");
    return [
      `The session ${session} has no finding or bug '${shown(asked)}'.`,
      named === ""
        ? "It has no findings yet. To see its state:"
        : `Its findings and bugs: ${named}`,
      named === "" ? `wisp status ${session}` : `wisp findings ${session}`,
    ];
  },
);

/** The finding or bug is already closed. */
export const FindingClosed = refusal(
  "finding-closed",
  EXIT.failure,
  ({ session, id }: { readonly session: string; readonly id: string }) => [
    `${id} is already closed; there is nothing to dismiss.`,
    "To see how it was closed:",
    `wisp findings show ${id} --session ${session}`,
  ],
);

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
  const reason = reasonOf(dismissal.why);
  const state = await stateFor(cli, "judge", found);
  const chosen = chooseFinding(dismissal.id, findingsView(state), found.session.id);
  if (dismissal.dryRun) return sayDismissed(cli, dismissal, chosen);
  const { id } = chosen;
  const appended = need(
    await appendHuman(cli, found, ({ items }) =>
      items.some((item) => item.kind === "dismiss" && item.id === id)
        ? undefined
        : { kind: "dismiss", id, why: reason },
    ),
  );
  await ensureRunning(cli, found, { isStopped: appended.before.stopped });
  return sayDismissed(cli, dismissal, chosen, appended.isAppended);
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
  } else terminal.err(isNew ? `Dismissed ${id}.` : `${id} was already dismissed.`);
  const view: JudgedFindingView = {
    schema: "wisp.finding/1",
    isDryRun: dryRun,
    isNew,
    dismissed: id,
  };
  if (json) terminal.out(JSON.stringify(view, undefined, 2));
  return ok(EXIT.ok);
}

function chooseFinding(asked: string, all: readonly FindingView[], session: string): FindingView {
  const finding = all.find(({ id }) => id.toLowerCase() === asked.toLowerCase());
  if (finding === undefined) {
    throw new CannotGoOn(NoSuchFinding({ session, asked, known: all.map(({ id }) => id) }));
  }
  const { id, state } = finding;
  if (state === "closed") throw new CannotGoOn(FindingClosed({ session, id }));
  return finding;
}

function reasonOf(why: string): string {
  const reason = cleanText(why, { charsMax: Number.MAX_SAFE_INTEGER, lines: "many" });
  if (reason === "") throw new CannotGoOn(Usage({ problem: "--why needs a reason" }));
  if (reason.length <= REASON_CHARS_MAX) return reason;
  const max = String(REASON_CHARS_MAX);
  throw new CannotGoOn(Usage({ problem: `the reason is longer than ${max} characters` }));
}
