import { resolve } from "node:path";
import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { reportMarkdown } from "../../views/report/report-markdown.ts";
import { readReport } from "../../views/report/read-report.ts";
import { findSession } from "../../workspace/find-session.ts";

/** How a report is asked for. */
export interface ReportOptions {
  readonly session: string | undefined;
  /** The file that the page is written to. */
  readonly html: string | undefined;
  readonly json: boolean;
}

/** `wisp report`: what happened in a session, as Markdown, as a page of its own, or for programs. */
export async function report(cli: Cli, options: ReportOptions): Promise<Outcome> {
  const { host, terminal, cwd } = cli;
  const found = need(findSession(host.files, cwd, options.session));
  const view = await readReport(cli, found);
  if (options.html !== undefined) {
    const { reportPage } = await import("../../views/report/page/report-page.ts");
    const path = resolve(cwd, options.html);
    need(host.files.replace(path, Buffer.from(reportPage(view))));
    if (!options.json) terminal.err(`The report of ${view.session} is in ${shown(path)}.`);
  }
  if (options.json) terminal.out(JSON.stringify(view, undefined, 2));
  else if (options.html === undefined) terminal.out(reportMarkdown(view).trimEnd());
  return ok(EXIT.ok);
}
