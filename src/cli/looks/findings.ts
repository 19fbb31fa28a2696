import { need } from "../../base/fatal.ts";
import { NoSuchFinding } from "../commands/findings-dismiss.ts";
import { EXIT } from "../../base/exit-code.ts";
import { fail, ok } from "../../base/result.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findingText, findingsSummary, findingsText } from "../../views/findings/findings-text.ts";
import { findingsView } from "../../views/findings/findings-view.ts";
import { findSession } from "../../workspace/find-session.ts";
import { createPaint } from "../../terminal/paint.ts";
import { readState } from "../../workspace/session/read-state.ts";

interface Listing {
  readonly session: string | undefined;
  /** Only those that are open. */
  readonly open: boolean;
  readonly json: boolean;
}

/** `wisp findings`: what reviewer and tester found in a session, and what became of it. */
export async function findings(cli: Cli, { session, open, json }: Listing): Promise<Outcome> {
  const found = need(findSession(cli.host.files, cli.cwd, session));
  const read = need(await readState(cli, found));
  const all = findingsView(read.state);
  const shown = open ? all.filter(({ isOpen }) => isOpen) : all;
  const { terminal } = cli;
  if (json) {
    const { id } = found.session;
    terminal.out(
      JSON.stringify({ schema: "wisp.findings/1", session: id, findings: shown }, undefined, 2),
    );
    return ok(EXIT.ok);
  }
  terminal.out(findingsText(shown, createPaint(terminal.outHasColors)));
  if (all.length > 0) terminal.err(findingsSummary(all));
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
  const { terminal } = cli;
  terminal.out(
    json
      ? JSON.stringify({ schema: "wisp.shown-finding/1", ...finding }, undefined, 2)
      : findingText(finding, createPaint(terminal.outHasColors)),
  );
  return ok(EXIT.ok);
}
