import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { World } from "../world.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal, type Words } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import { CannotGoOn } from "../../base/fatal.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { RUN_ID_VARIABLE, type Environment } from "../../base/ports/processes.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { ROLES } from "../../base/role.ts";
import { runIdsOf } from "../../work/role-context.ts";
import { SharedFiles } from "../../home/shared-files.ts";
import { refuseWrites, type NotWrittenHere } from "../../home/write-fence.ts";
import {
  EMPTY_HUMAN,
  foldHuman,
  type Closed,
  type HumanFold,
} from "../../session/state/fold-human.ts";
import { revisionNumber, type Home } from "../../fs-protocol/home/home.ts";
import { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import { homeFamily } from "../../fs-protocol/home/home-family.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { encodeRecord } from "../../fs-protocol/codec/record-codec.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { Host } from "../../host/host.ts";
import { ONCE_VARIABLE } from "../../base/ports/executor.ts";

interface ClosedFacts {
  readonly session: string;
  readonly how: Closed["how"];
  /** URL of its pull request. */
  readonly url: string | undefined;
}

/** A person has closed the session for good. */
export const SessionClosed = refusal("session-closed", EXIT.failure, closedWords);
export type SessionClosed = ReturnType<typeof SessionClosed>;

function closedWords({ session, how, url }: ClosedFacts): Words {
  const at = url === undefined ? "" : ` (${shown(url)})`;
  if (how === "done") {
    return [
      `${shown(session)} is done${at}: its work was shipped, and it cannot continue.`,
      "For further changes, make a revision, which `wisp done` then ships, or start a new request:",
      `wisp revise ${shellWord(session)}`,
      "wisp start request.md",
    ];
  }
  return [
    `${shown(session)} was ${how === "rejected" ? "rejected" : "abandoned"} and cannot continue.`,
    "Its commits are kept under a ref. To see them:",
    `git log refs/wisp/rescue/${shellWord(session)}/abandoned`,
  ];
}

/** Why a session accepts no more commands. */
export function sessionClosed(session: string, closed: Closed): SessionClosed {
  const url = closed.how === "done" ? closed.url : undefined;
  return SessionClosed({ session, how: closed.how, url });
}

/** A record of `human.log` without its time. */
export type HumanEntry = HumanRecord extends infer R
  ? R extends HumanRecord
    ? Omit<R, "time">
    : never
  : never;

/** The command came from a process that an engine of this very session started. */
export const EngineSpeaks = refusal("engine-speaks", EXIT.failure, () => [
  "An engine, or a process that it started, ran this command during its turn, but only people may give commands to a session.",
  "Nothing was recorded. Run the command in your own shell.",
]);

/** Why nothing was appended. */
export type SpeakFailure =
  FileFailure | ReturnType<typeof EngineSpeaks> | SessionClosed | NotWrittenHere;

/** What the caller has to provide. */
export interface HumanLogWriter {
  readonly host: Pick<Host, "files" | "locks" | "clock">;
  readonly env: Environment;
  readonly tell: World["tell"];
}

/** The session whose `human.log` is written. */
export interface Addressed {
  readonly home: Home;
  readonly session: Pick<SessionJson, "state" | "createdAt" | "parent">;
}

/** The records before the append, and whether something was appended. */
interface Appended {
  readonly before: HumanFold;
  readonly isAppended: boolean;
}

/**
 * Appends a person's record to `human.log`, under the lock that all writers of that file share.
 * Before, the log is restored from its copy; afterwards, the copy is completed. A closed session
 * accepts no further record, except that its work is shipped again, that it moves to another machine, or that a part of
 * its budget passes to or from another session.
 *
 * @param decide determines from the existing records what to append; undefined appends nothing
 */
export async function appendHuman(
  { host, env, tell }: HumanLogWriter,
  { home, session }: Addressed,
  decide: (human: HumanFold) => HumanEntry | undefined,
): Promise<Result<Appended, SpeakFailure>> {
  const own = refuseWrites(host.files, home);
  // A command that is begun again may have appended what it had to before the session moved.
  if (!own.ok && own.failure.kind !== "moved-away") return own;
  const engines = isEngines(host.files, env, { home, session });
  if (!engines.ok) return engines;
  if (engines.value) return fail(EngineSpeaks({}));
  const shared = new SharedFiles({ ports: host, home, session });
  const ran = await host.locks.withLock(home.humanLog, () => {
    for (const { path, copy } of own.ok ? shared.restoreLocked(home.humanLog) : []) {
      const file = path.slice(home.directory.length + 1);
      const kept = copy === undefined ? "" : ` What was found is kept as ${copy}: see wisp status.`;
      tell(`${file} was changed by someone else and restored.${kept}`);
    }
    const appended = append(host, home, { decide, once: env[ONCE_VARIABLE] });
    if (appended.ok && appended.value.isAppended) complete(shared, home);
    return appended;
  });
  return ran.ok ? ran.value : ran;
}

/** A model that runs `wisp` in its turn is not a person; wisp cannot detect one that hides its origin. */
function isEngines(
  files: Files,
  env: Environment,
  { home, session }: Addressed,
): Result<boolean, FileFailure> {
  const runId = env[RUN_ID_VARIABLE];
  if (runId === undefined) return ok(false);
  // An engine of a revision does not count as a person for the parent either.
  const family = homeFamily(files, home, session);
  if (!family.ok) return family;
  const marks = family.value.flatMap((one) => ROLES.flatMap((role) => runIdsOf(one, role)));
  return ok(marks.includes(runId));
}

function append(
  { files, clock }: HumanLogWriter["host"],
  home: Home,
  { decide, once }: Deciding,
): Result<Appended, FileFailure | SessionClosed | NotWrittenHere> {
  const { humanLog: path, directory } = home;
  const log = new LogFold({
    files,
    path,
    schema: HumanRecord,
    empty: NOTHING_SAID,
    reduce: (fold: Said, record) => sayOnce(fold, record, once),
  });
  const read = log.refresh();
  if (!read.ok) return read;
  const { before: beforeOnce, once: said, human } = read.value;
  const again = said.length === 0 ? undefined : decide(beforeOnce);
  if (again !== undefined && said.some((record) => isSameEntry(record, again))) {
    return ok({ before: beforeOnce, isAppended: true });
  }
  // Before the decision, which may write.
  const owned = refuseWrites(files, home);
  if (!owned.ok) return owned;
  const { closed } = human;
  const entry = decide(human);
  const isAnyTime = entry !== undefined && AFTER_THE_END.has(entry.kind);
  if (closed !== undefined && !isAnyTime && !isShippedAgain(closed, entry)) {
    return fail(sessionClosed(idOf(directory), closed));
  }
  if (entry === undefined) return ok({ before: human, isAppended: false });
  const time = new Date(clock.nowMs()).toISOString();
  const record = { ...entry, ...(once === undefined ? {} : { once }), time };
  const appended = files.append(path, Buffer.from(encodeRecord(HumanRecord, record)));
  return appended.ok ? ok({ before: human, isAppended: true }) : fail(appended.failure);
}

/** What is recorded of a closed session, too: it changes nothing of its work. */
const AFTER_THE_END: ReadonlySet<HumanEntry["kind"]> = new Set(["budget.give", "budget.grant"]);

/** What to append, and for which command. */
interface Deciding {
  readonly decide: (human: HumanFold) => HumanEntry | undefined;
  /** Names the command, if that may be begun again. */
  readonly once: string | undefined;
}

/** What was said, and what of it by the same command when it was begun before. */
interface Said {
  readonly human: HumanFold;
  /** What had been said before that command was begun first. */
  readonly before: HumanFold;
  readonly once: readonly HumanRecord[];
}

const NOTHING_SAID: Said = { human: EMPTY_HUMAN, before: EMPTY_HUMAN, once: [] };

function sayOnce(said: Said, record: HumanRecord, once: string | undefined): Said {
  const human = foldHuman(said.human, record);
  const isOwn = once !== undefined && record.once === once;
  const all = isOwn ? [...said.once, record] : said.once;
  return { human, before: all.length === 0 ? human : said.before, once: all };
}

function isSameEntry(record: HumanRecord, entry: HumanEntry): boolean {
  const { time, once } = record;
  // A field without a value is the same as none.
  return isDeepStrictEqual(plain(record), plain({ ...entry, time, once }));
}

function plain(record: object): unknown {
  return JSON.parse(JSON.stringify(record));
}

/** Shipped work may be shipped again if that adds something: another commit, remote or pull request. */
function isShippedAgain(closed: Closed, entry: HumanEntry | undefined): boolean {
  if (closed.how !== "done" || entry?.kind !== "done") return false;
  const { at, remote = closed.remote, url = closed.url } = entry;
  return at !== closed.at || remote !== closed.remote || url !== closed.url;
}

/** A revision's home is inside its parent's home, just as its id contains the parent's id. */
function idOf(directory: string): string {
  const name = basename(directory);
  return revisionNumber(name) === undefined ? name : join(basename(dirname(directory)), name);
}

/** The record counts even if there is no space for the copy: the supervisor completes the copy later. */
function complete(shared: SharedFiles, { humanLog }: Home): void {
  try {
    shared.restoreLocked(humanLog);
  } catch (thrown) {
    if (!(thrown instanceof CannotGoOn)) throw thrown;
  }
}
