import { REASON_CHARS_MAX } from "../base/limits.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { cleanText } from "../fs-protocol/clean-text.ts";
import { appendHuman } from "./append-human.ts";
import type { Cli, Outcome } from "./cli.ts";
import { EXIT } from "./exit-codes.ts";
import type { FindingsFailure, Usage } from "./failures.ts";
import { findingsView, type FindingView } from "./findings-view.ts";
import { findSession } from "./find-session.ts";
import { goOn } from "./go-on.ts";
import { readState } from "./read-state.ts";
import { sentence } from "./sentence.ts";
import { allow } from "./session-stage.ts";

interface Dismissal {
  readonly session: string | undefined;
  readonly id: string;
  readonly why: string;
  /** Only say what would be dismissed. */
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** `wisp findings dismiss`: a person closes a finding or bug for good, with a reason. */
export async function dismissFinding(cli: Cli, dismissal: Dismissal): Promise<Outcome> {
  const found = findSession(cli.host.files, cli.cwd, dismissal.session);
  if (!found.ok) return found;
  const reason = reasonOf(dismissal.why);
  if (!reason.ok) return reason;
  const read = await readState(cli, found.value);
  if (!read.ok) return read;
  const { state } = read.value;
  const session = found.value.session.id;
  const allowed = allow("judge", { id: session, state, nowMs: cli.host.clock.nowMs() });
  if (!allowed.ok) return allowed;
  const chosen = chooseFinding(dismissal.id, findingsView(state), session);
  if (!chosen.ok) return chosen;
  if (dismissal.dryRun) return sayDismissed(cli, dismissal, chosen.value);
  const { id } = chosen.value;
  const said = await appendHuman(cli, found.value, ({ items }) =>
    items.some((item) => item.kind === "dismiss" && item.id === id)
      ? undefined
      : { kind: "dismiss", id, why: reason.value },
  );
  if (!said.ok) return said;
  const gone = await goOn(cli, found.value, { isStopped: said.value.before.stopped });
  return gone.ok ? sayDismissed(cli, dismissal, chosen.value, said.value.isAppended) : gone;
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
  } else terminal.err(isNew ? `Dismissed ${id}.` : `${id} was dismissed before.`);
  const view = { schema: "wisp.finding/1", isDryRun: dryRun, isNew, dismissed: id };
  if (json) terminal.out(JSON.stringify(view, undefined, 2));
  return ok(EXIT.ok);
}

function chooseFinding(
  asked: string,
  all: readonly FindingView[],
  session: string,
): Result<FindingView, FindingsFailure> {
  const finding = all.find(({ id }) => id.toLowerCase() === asked.toLowerCase());
  if (finding === undefined) {
    return fail({ kind: "no-such-finding", session, asked, known: all.map(({ id }) => id) });
  }
  const { id, state } = finding;
  if (state === "closed") return fail({ kind: "finding-closed", session, id });
  return ok(finding);
}

function reasonOf(why: string): Result<string, Usage> {
  const reason = cleanText(why, { charsMax: Number.MAX_SAFE_INTEGER, lines: "many" });
  if (reason === "") return fail({ kind: "usage", problem: "--why needs a reason" });
  if (reason.length <= REASON_CHARS_MAX) return ok(reason);
  const max = String(REASON_CHARS_MAX);
  return fail({ kind: "usage", problem: `the reason is longer than ${max} characters` });
}
