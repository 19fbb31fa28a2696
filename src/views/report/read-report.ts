import type { Words } from "../../base/failure.ts";
import { sentence } from "../../base/words/sentence.ts";
import { LOG_NAMES, type LogName } from "../../base/role.ts";
import { ok } from "../../base/result.ts";
import type { Files } from "../../base/ports/files.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { logPath, type Home } from "../../fs-protocol/home/home.ts";
import { schemaOf, type LogRecord, type RecordOfLog } from "../../fs-protocol/home/logs.ts";
import { wholeView } from "../../workspace/home/home-shape.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { readStatus, type ReadStatus } from "../status/read-status.ts";
import { MilestoneReader } from "./recorded-milestones.ts";
import {
  reportView,
  type ReportDivergence,
  type ReportFacts,
  type ReportView,
} from "./report-view.ts";
import { TimelineReader } from "./timeline.ts";

/**
 * The report of a session as its files are now, whatever state they are in: what cannot be read is named in it.
 * Writes nothing.
 *
 * @param known the session's status, if it has just been read
 */
export async function readReport(
  world: World,
  found: FoundSession,
  known?: ReadStatus,
): Promise<ReportView> {
  const read = known === undefined ? await readStatus(world, found) : ok(known);
  return reportView({
    session: found.session,
    read: read.ok ? { status: read.value.view, state: read.value.state } : undefined,
    trouble: read.ok ? [] : linesOf(read.failure.words()),
    ...readRecords(wholeView(world.host.files, found), found.home),
    nowMs: world.host.clock.nowMs(),
  });
}

function linesOf(words: Words): readonly string[] {
  const texts = words.map((line) => (typeof line === "object" ? line.detail : line));
  return texts.filter((text) => text !== undefined).map((text) => sentence("bad", text).text);
}

/** What the logs record, of each as far as it can be read. */
function readRecords(
  files: Files,
  home: Home,
): Pick<ReportFacts, "timeline" | "milestones" | "divergences" | "unread" | "passedOver"> {
  const timeline = new TimelineReader();
  const milestones = new MilestoneReader();
  const divergences: ReportDivergence[] = [];
  const add = (entry: LogRecord) => {
    timeline.add(entry);
    milestones.add(entry);
    const { record } = entry;
    if (record.kind !== "divergence") return;
    const { what, reason = "", m: milestone, time } = record;
    divergences.push({ what, reason, milestone, atMs: Date.parse(time) });
  };
  const looks = LOG_NAMES.map((log) => ({ log, ...readLog(files, home, log, add) }));
  return {
    timeline: timeline.timeline,
    milestones: milestones.milestones,
    divergences,
    unread: looks.filter(({ isRead }) => !isRead).map(({ log }) => log),
    passedOver: looks.reduce((sum, { passedOver }) => sum + passedOver, 0),
  };
}

function readLog<L extends LogName>(
  files: Files,
  home: Home,
  log: L,
  add: (entry: LogRecord<L>) => void,
): { readonly isRead: boolean; readonly passedOver: number } {
  const entry = (record: RecordOfLog<L>): LogRecord<L> => ({ log, record });
  const fold = new LogFold({
    files,
    path: logPath(home, log),
    schema: schemaOf(log),
    empty: 0,
    reduce: (count) => count + 1,
    onRecord: (record) => add(entry(record)),
  });
  return { isRead: fold.refresh().ok, passedOver: fold.quarantined.length };
}
