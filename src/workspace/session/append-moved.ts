import { SharedFiles } from "../../home/shared-files.ts";
import { need } from "../../base/fatal.ts";
import { encodeRecord } from "../../fs-protocol/codec/record-codec.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import { foldHuman, EMPTY_HUMAN, type Moved } from "../../session/state/fold-human.ts";
import type { Addressed, HumanLogWriter } from "./append-human.ts";

/** A record of a move that is to be appended. */
export interface AppendedMove {
  readonly record: Moved;
  /** The id that the last such record has to have; undefined: there must be none. */
  readonly after: string | undefined;
  /** The homes of the session's revisions, which the record fences, too. */
  readonly revisions: readonly Home[];
}

/**
 * Appends a record of a move to the `human.log` of a session, unless the last one is another than expected. The caller
 * holds all leases and has checked that the step is due: a home that is taken by force is not the owner's yet. When this
 * returns, nobody is about to append to the log of a revision who has checked before that it may be written.
 */
export async function appendMoved(
  { host: { files, locks, clock } }: Pick<HumanLogWriter, "host">,
  { home, session }: Addressed,
  { record, after, revisions }: AppendedMove,
): Promise<void> {
  const shared = new SharedFiles({ ports: { files, locks }, home, session });
  const { humanLog: path } = home;
  need(
    await locks.withLock(path, () => {
      shared.restoreLocked(path);
      const log = new LogFold({
        ...{ files, path, schema: HumanRecord, empty: EMPTY_HUMAN },
        reduce: foldHuman,
      });
      if (need(log.refresh()).moved?.id !== after) return;
      const time = new Date(clock.nowMs()).toISOString();
      const text = encodeRecord(HumanRecord, { kind: "moved", ...record, time });
      need(files.append(path, Buffer.from(text)));
      shared.restoreLocked(path);
    }),
  );
  for (const { humanLog } of revisions) need(await locks.withLock(humanLog, () => undefined));
}
