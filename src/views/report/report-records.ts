import type { Files } from "../../base/ports/files.ts";
import { LOG_NAMES, type LogName } from "../../base/role.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { logPath } from "../../fs-protocol/home/home.ts";
import { schemaOf, type LogRecord, type RecordOfLog } from "../../fs-protocol/home/logs.ts";
import { shorterThanCopy, wholeView } from "../../workspace/home/home-shape.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { inTimeOrder } from "./in-time-order.ts";
import { MilestoneReader } from "./recorded-milestones.ts";
import type { ReportDivergence, ReportFacts } from "./report-view.ts";
import { TimelineReader } from "./timeline.ts";

/** The part of a report that follows from the records alone. */
export type RecordedReport = Pick<
  ReportFacts,
  "timeline" | "milestones" | "divergences" | "unread" | "passedOver"
>;

/** What the logs of a session record, of each as far as it can be read. Each read goes on where the last one ended. */
export class ReportRecords {
  readonly #files: Files;
  readonly #found: FoundSession;
  #gathered: GatheredLogs | undefined;
  /** The files that are read from their copies. */
  #shorter = "";

  constructor(files: Files, found: FoundSession) {
    this.#files = files;
    this.#found = found;
  }

  read(): RecordedReport {
    const shorter = shorterThanCopy(this.#found).join("\n");
    if (shorter !== this.#shorter) this.#gathered = undefined;
    this.#shorter = shorter;
    this.#gathered ??= this.#open();
    const facts = this.#gathered.read();
    if (!this.#gathered.hasRestarted) return facts;
    // Records of a log that was replaced, or could not be read on, were gathered before: they must not count twice.
    this.#gathered = undefined;
    return this.#open().read();
  }

  #open(): GatheredLogs {
    return new GatheredLogs(wholeView(this.#files, this.#found), this.#found);
  }
}

interface OpenLog {
  readonly name: LogName;
  readonly read: () => { readonly isRead: boolean; readonly passedOver: number };
}

/** The records of all logs from their starts, until one of them has to be read from its start again. */
class GatheredLogs {
  readonly #timeline = new TimelineReader();
  readonly #milestones = new MilestoneReader();
  readonly #divergences: ReportDivergence[] = [];
  readonly #logs: readonly OpenLog[];
  hasRestarted = false;

  constructor(files: Files, { home }: FoundSession) {
    this.#logs = LOG_NAMES.map((name) =>
      openLog(files, logPath(home, name), name, {
        add: (entry) => this.#add(entry),
        onRestart: () => (this.hasRestarted = true),
      }),
    );
  }

  read(): RecordedReport {
    const looks = this.#logs.map(({ name, read }) => ({ name, ...read() }));
    return {
      timeline: this.#timeline.timeline,
      milestones: this.#milestones.milestones,
      divergences: inTimeOrder(this.#divergences, ({ what }) => what),
      unread: looks.filter(({ isRead }) => !isRead).map(({ name }) => name),
      passedOver: looks.reduce((sum, { passedOver }) => sum + passedOver, 0),
    };
  }

  #add(entry: LogRecord): void {
    this.#timeline.add(entry);
    this.#milestones.add(entry);
    const { record } = entry;
    if (record.kind !== "divergence") return;
    const { what, reason = "", m: milestone, time } = record;
    this.#divergences.push({ what, reason, milestone, atMs: Date.parse(time) });
  }
}

interface LogListener<L extends LogName> {
  readonly add: (entry: LogRecord<L>) => void;
  readonly onRestart: () => void;
}

function openLog<L extends LogName>(
  files: Files,
  path: string,
  log: L,
  { add, onRestart }: LogListener<L>,
): OpenLog {
  const entry = (record: RecordOfLog<L>): LogRecord<L> => ({ log, record });
  const fold = new LogFold({
    files,
    path,
    schema: schemaOf(log),
    empty: 0,
    reduce: (count) => count + 1,
    onRecord: (record) => add(entry(record)),
    onRestart,
  });
  const read = () => ({ isRead: fold.refresh().ok, passedOver: fold.quarantined.length });
  return { name: log, read };
}
