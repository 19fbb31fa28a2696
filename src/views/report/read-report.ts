import type { Words } from "../../base/failure.ts";
import { sentence } from "../../base/words/sentence.ts";
import { ok } from "../../base/result.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { readStatus, type ReadStatus } from "../status/read-status.ts";
import { ReportRecords } from "./report-records.ts";
import { reportView, type ReportView } from "./report-view.ts";

/**
 * The report of a session as its files are now, whatever state they are in: what cannot be read is named in it.
 * Writes nothing.
 *
 * @param known the session's status, if it has just been read
 * @param records its records, if they were read before: then only what is new is read
 */
export async function readReport(
  world: World,
  found: FoundSession,
  known?: ReadStatus,
  records = new ReportRecords(world.host.files, found),
): Promise<ReportView> {
  const read = known === undefined ? await readStatus(world, found) : ok(known);
  return reportView({
    session: found.session,
    read: read.ok ? { status: read.value.view, state: read.value.state } : undefined,
    trouble: read.ok ? [] : linesOf(read.failure.words()),
    ...records.read(),
    nowMs: world.host.clock.nowMs(),
  });
}

function linesOf(words: Words): readonly string[] {
  const texts = words.map((line) => (typeof line === "object" ? line.detail : line));
  return texts.filter((text) => text !== undefined).map((text) => sentence("bad", text).text);
}
