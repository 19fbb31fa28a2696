import { basename } from "node:path";
import type { FileFailure } from "../base/files.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { EMPTY_HUMAN, foldHuman, type Closed, type HumanFold } from "../fs-protocol/fold-human.ts";
import type { Home } from "../fs-protocol/home.ts";
import { HumanRecord } from "../fs-protocol/human-log.ts";
import { LogFold } from "../fs-protocol/log-fold.ts";
import { encodeRecord } from "../fs-protocol/record-codec.ts";
import type { Host } from "../host/host.ts";

/** A person has closed the session for good. */
export interface SessionClosed {
  readonly kind: "session-closed";
  readonly session: string;
  readonly how: Closed["how"];
  /** Of its pull request. */
  readonly url: string | undefined;
}

/** Why nothing more can be said to a session. */
export function sessionClosed(session: string, closed: Closed): SessionClosed {
  const url = closed.how === "done" ? closed.url : undefined;
  return { kind: "session-closed", session, how: closed.how, url };
}

/** What a person says, without its time. */
export type HumanWord = HumanRecord extends infer R
  ? R extends HumanRecord
    ? Omit<R, "time">
    : never
  : never;

/**
 * Appends what a person says to `human.log`, under the lock that all writers of that file share. A session
 * that is closed takes no further word.
 *
 * @param word decides by what stands there already; undefined appends nothing
 * @returns what stood there before, and whether something was appended
 */
export async function appendHuman(
  { files, locks, clock }: Pick<Host, "files" | "locks" | "clock">,
  { humanLog: path, directory }: Home,
  word: (human: HumanFold) => HumanWord | undefined,
): Promise<
  Result<{ readonly before: HumanFold; readonly isAppended: boolean }, FileFailure | SessionClosed>
> {
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
    const { closed } = before.value;
    if (closed !== undefined) return fail(sessionClosed(basename(directory), closed));
    const said = word(before.value);
    if (said === undefined) return ok({ before: before.value, isAppended: false });
    const record = { ...said, time: new Date(clock.nowMs()).toISOString() };
    const appended = files.append(path, Buffer.from(encodeRecord(HumanRecord, record)));
    return appended.ok ? ok({ before: before.value, isAppended: true }) : fail(appended.failure);
  };
  const ran = await locks.withLock(path, append);
  return ran.ok ? ran.value : ran;
}
