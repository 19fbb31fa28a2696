import { join } from "node:path";
import { refuseWrites } from "../../home/write-fence.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import { readReport } from "../../views/report/read-report.ts";
import type { ReportView } from "../../views/report/report-view.ts";
import type { ReadStatus } from "../../views/status/read-status.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";

/**
 * Writes the report of a session that has just ended, or that nothing works on, into its home, where it replaces an
 * earlier one. Nothing reads it but people.
 *
 * @param read the session's status as it was just read
 * @returns the absolute path of the page
 */
export async function writeLastReport(
  world: World,
  found: FoundSession,
  read: ReadStatus,
): Promise<Result<string, FileFailure>> {
  const view = await readReport(world, found, read);
  return writeReportPage(world, view, pageOf(world, found));
}

/**
 * The file that a session's page is written to, unless another is named: one in its home or, if that is not written on
 * this machine, one in the current folder that is named after the session.
 */
export function pageOf(
  { host, cwd }: Pick<World, "host" | "cwd">,
  { home, session }: FoundSession,
): string {
  if (refuseWrites(host.files, home).ok) return home.reportPage;
  return join(cwd, `${session.id.replaceAll("/", "-")}.html`);
}

/**
 * Writes a report as a page that needs nothing else.
 *
 * @param path absolute; a file there is replaced
 * @returns the path
 */
export async function writeReportPage(
  { host }: Pick<World, "host">,
  view: ReportView,
  path: string,
): Promise<Result<string, FileFailure>> {
  // Imported only here, because most who read a report want it as text.
  const { reportPage } = await import("../../views/report/page/report-page.ts");
  const written = host.files.replace(path, Buffer.from(reportPage(view)));
  return written.ok ? ok(path) : written;
}
