import type { Files } from "../../base/ports/files.ts";
import type { Processes } from "../../base/ports/processes.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { CommonRecord } from "../../fs-protocol/records/common-records.ts";
import type { Journal } from "../journal.ts";
import type { MeanwhileWatch } from "./meanwhile.ts";
import { noteMeanwhile } from "./note-meanwhile.ts";

interface WatchedCommands {
  readonly meanwhile: MeanwhileWatch;
  readonly journal: Journal<CommonRecord>;
  /** The newest unit of the role; undefined if none has begun. */
  readonly unit: () => string | undefined;
}

/**
 * Runs processes like `processes`, and records what was changed outside while one ran that no sandbox confines: a command of
 * verify, of a bug, of setup. What runs beside a turn is looked at when the turn ends.
 */
export function watchedCommands(
  processes: Processes,
  { meanwhile, journal, unit }: WatchedCommands,
): Processes {
  return {
    run: async (options) => {
      const isWatched = options.enclosure === undefined && !meanwhile.isWatching;
      if (!isWatched) return processes.run(options);
      const before = await meanwhile.begin("command");
      const end = await processes.run(options);
      await noteMeanwhile({ journal, meanwhile }, unit(), { before, during: "command" });
      return end;
    },
    daemon: (command) => processes.daemon(command),
    attach: (command) => processes.attach(command),
    findDaemons: (marks) => processes.findDaemons(marks),
    sweep: (...runIds) => processes.sweep(...runIds),
    identify: (pid) => processes.identify(pid),
    signal: (...args) => processes.signal(...args),
  };
}

/** Returns what reads a role's newest unit from its log, as far as the log has grown. */
export function newestUnitIn(files: Files, path: string): () => string | undefined {
  const log = new LogFold<typeof CommonRecord, string | undefined>({
    ...{ files, path, schema: CommonRecord, empty: undefined },
    reduce: (unit, record) => (record.kind === "unit.begin" ? record.unit : unit),
    passesOver: (line) => !line.includes(" unit.begin "),
  });
  return () => {
    const read = log.refresh();
    return read.ok ? read.value : log.value;
  };
}
