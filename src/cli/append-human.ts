import type { FileFailure } from "../base/files.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { EMPTY_HUMAN, foldHuman, type HumanFold } from "../fs-protocol/fold-human.ts";
import type { Home } from "../fs-protocol/home.ts";
import { HumanRecord } from "../fs-protocol/human-log.ts";
import { LogFold } from "../fs-protocol/log-fold.ts";
import { encodeRecord } from "../fs-protocol/record-codec.ts";
import type { Host } from "../host/host.ts";

/** What a person says, without its time. */
export type HumanWord = HumanRecord extends infer R
  ? R extends HumanRecord
    ? Omit<R, "time">
    : never
  : never;

/**
 * Appends what a person says to `human.log`, under the lock that all writers of that file share.
 *
 * @param word decides by what stands there already; undefined appends nothing
 * @returns what stood there before, and whether something was appended
 */
export async function appendHuman(
  { files, locks, clock }: Pick<Host, "files" | "locks" | "clock">,
  { humanLog: path }: Home,
  word: (human: HumanFold) => HumanWord | undefined,
): Promise<Result<{ readonly before: HumanFold; readonly isAppended: boolean }, FileFailure>> {
  const append = () => {
    const log = new LogFold({
      files,
      path,
      schema: HumanRecord,
      empty: EMPTY_HUMAN,
      reduce: foldHuman,
    });
    const before = log.refresh();
    if (!before.ok) return before;
    const said = word(before.value);
    if (said === undefined) return ok({ before: before.value, isAppended: false });
    const record = { ...said, time: new Date(clock.nowMs()).toISOString() };
    const appended = files.append(path, Buffer.from(encodeRecord(HumanRecord, record)));
    return appended.ok ? ok({ before: before.value, isAppended: true }) : fail(appended.failure);
  };
  const ran = await locks.withLock(path, append);
  return ran.ok ? ran.value : ran;
}
