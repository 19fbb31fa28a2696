import { resolve } from "node:path";
import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { pageOf, writeReportPage } from "../../actions/report/write-report-page.ts";
import { reportMarkdown } from "../../views/report/report-markdown.ts";
import { readReport } from "../../views/report/read-report.ts";
import { findSession } from "../../workspace/find-session.ts";

/** How a report is asked for. */
export interface ReportOptions {
  readonly session: string | undefined;
  /** The file that the page is written to; true: the usual one. */
  readonly html: string | true | undefined;
  readonly json: boolean;
}

/** `wisp report`: what happened in a session, as Markdown, as a page of its own, or for programs. */
export async function report(cli: Cli, options: ReportOptions): Promise<Outcome> {
  const { host, terminal, cwd } = cli;
  const found = need(findSession(host.files, cwd, options.session));
  const view = await readReport(cli, found);
  if (options.html !== undefined) {
    const path = options.html === true ? pageOf(cli, found) : resolve(cwd, options.html);
    need(await writeReportPage(cli, view, path));
    if (!options.json) terminal.err(`The report of ${view.session} is in ${shown(path)}.`);
  }
  if (options.json) terminal.out(JSON.stringify(view, undefined, 2));
  else if (options.html === undefined) terminal.out(reportMarkdown(view).trimEnd());
  return ok(EXIT.ok);
}
