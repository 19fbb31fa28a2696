import { need } from "../../base/fatal.ts";
import { NoSuchFinding } from "../../actions/findings/dismiss-item.ts";
import { EXIT } from "../../base/exit-code.ts";
import { fail, ok } from "../../base/result.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findingRows, findingsRows, findingsSummary } from "../../views/findings/findings-rows.ts";
import { findingsView, type FindingView } from "../../views/findings/findings-view.ts";
import { findSession } from "../../workspace/find-session.ts";
import { showView } from "../../terminal/show-view.ts";
import { readState } from "../../workspace/session/read-state.ts";

/** What `wisp findings --json` prints; fields are added, never renamed or removed. */
export interface FindingsView {
  readonly schema: "wisp.findings/1";
  readonly session: string;
  readonly findings: readonly FindingView[];
}

/** What `wisp findings show --json` prints; fields are added, never renamed or removed. */
export interface ShownFindingView extends FindingView {
  readonly schema: "wisp.shown-finding/1";
}

interface Listing {
  readonly session: string | undefined;
  /** Only the open ones. */
  readonly open: boolean;
  readonly json: boolean;
}

/** `wisp findings`: the findings and bugs of a session, and their states. */
export async function findings(cli: Cli, { session, open, json }: Listing): Promise<Outcome> {
  const found = need(findSession(cli.host.files, cli.cwd, session));
  const read = need(await readState(cli, found));
  const all = findingsView(read.state);
  const shown = open ? all.filter(({ isOpen }) => isOpen) : all;
  const { terminal } = cli;
  const view: FindingsView = {
    schema: "wisp.findings/1",
    session: found.session.id,
    findings: shown,
  };
  showView(terminal, { json, view, rows: () => findingsRows(shown) });
  if (all.length > 0 && !json) terminal.err(findingsSummary(all));
  return ok(EXIT.ok);
}

interface Showing {
  readonly session: string | undefined;
  readonly id: string;
  readonly json: boolean;
}

/** `wisp findings show`: one finding or bug, with its fixes. */
export async function showFinding(cli: Cli, { session, id, json }: Showing): Promise<Outcome> {
  const found = need(findSession(cli.host.files, cli.cwd, session));
  const read = need(await readState(cli, found));
  const all = findingsView(read.state);
  const finding = all.find((other) => other.id.toLowerCase() === id.toLowerCase());
  if (finding === undefined) {
    const known = all.map((other) => other.id);
    return fail(NoSuchFinding({ session: found.session.id, asked: id, known }));
  }
  const view: ShownFindingView = { schema: "wisp.shown-finding/1", ...finding };
  showView(cli.terminal, { json, view, rows: () => findingRows(finding) });
  return ok(EXIT.ok);
}
