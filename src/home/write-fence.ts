import { basename } from "node:path";
import { EXIT } from "../base/exit-code.ts";
import { refusal, type Words } from "../base/failure.ts";
import { FileFailure, type Files } from "../base/ports/files.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { jsonOf } from "../base/words/json-text.ts";
import { shown } from "../base/words/shown.ts";
import { LogFold } from "../fs-protocol/codec/log-fold.ts";
import { parentHome, revisionNumber, type Home } from "../fs-protocol/home/home.ts";
import { PlaceJson, placePath } from "../fs-protocol/home/place-json.ts";
import { HumanRecord } from "../fs-protocol/records/human-log.ts";
import { mayWriteHere } from "../session/rules/handover.ts";
import type { Moved } from "../session/state/fold-human.ts";

/** A home mirrors a session that runs elsewhere, so nothing here may write to it or work on it. */
export const MirrorIsReadOnly = refusal(
  "mirror-is-read-only",
  EXIT.failure,
  ({ directory, executor }: { readonly directory: string; readonly executor: string }) => [
    `${shown(directory)} mirrors a session that runs on ${shown(executor)}, and is only written there.`,
    "Nothing was changed. To see what it does:",
    "wisp status",
  ],
);
export type MirrorIsReadOnly = ReturnType<typeof MirrorIsReadOnly>;

interface Left {
  readonly directory: string;
  /** The executor to which it moved; undefined if the home does not tell. */
  readonly to: string | undefined;
}

/** A session moved to another machine, and its home here was left. */
export const MovedAway = refusal("moved-away", EXIT.failure, movedWords);
export type MovedAway = ReturnType<typeof MovedAway>;

function movedWords({ directory, to }: Left): Words {
  const where =
    to === undefined
      ? `The place.json of ${shown(directory)} is damaged, or names a move that its human.log does not have: where the session belongs is not known.`
      : `The session of ${shown(directory)} moved to ${shown(to)}, and is only written there.`;
  return [
    where,
    "Nothing was changed. If its move was interrupted, the command that began the move goes on with it. To see what is known of the session here:",
    "wisp status",
  ];
}

/** Why nobody may write to a home here: the session is another machine's. */
export type NotWrittenHere = MirrorIsReadOnly | MovedAway;

/** Whether the failure is that a home is not written on this machine. */
export function isNotWrittenHere(failure: { readonly kind: string }): failure is NotWrittenHere {
  return failure.kind === "mirror-is-read-only" || failure.kind === "moved-away";
}

/**
 * Tells whether a home may be written, as its files are now. Its owner is on record in the home of the session that was
 * started: a revision has neither a `place.json` nor `moved` records of its own.
 */
export class WriteFence {
  readonly #files: Files;
  readonly #home: Home;
  readonly #log: LogFold<typeof HumanRecord, Moved | undefined>;
  #openFor: { readonly id: string | undefined } | undefined;

  /** `humanLog`: the path of the records to go by; absent: that of the owner's home. */
  constructor(files: Files, home: Home, humanLog = ownerHome(home).humanLog) {
    this.#files = files;
    this.#home = home;
    this.#log = new LogFold<typeof HumanRecord, Moved | undefined>({
      files,
      path: humanLog,
      schema: HumanRecord,
      empty: undefined,
      reduce: (last, record) => (record.kind === "moved" ? record : last),
      // Sessions seldom move, and the log may be long.
      passesOver: (line) => !line.includes("moved"),
    });
  }

  /**
   * Fails if nobody here may write. Reads only what was appended since the last call; `place.json` is read again if
   * another move is on record, since nobody changes it while the caller may write.
   */
  check(): Result<void, FileFailure | NotWrittenHere> {
    const lastMoved = this.#log.refresh();
    if (!lastMoved.ok) return lastMoved;
    const id = lastMoved.value?.id;
    if (this.#openFor !== undefined && this.#openFor.id === id) return ok(undefined);
    const allowed = refuseForeign(this.#files, this.#home, lastMoved.value);
    this.#openFor = allowed.ok ? { id } : undefined;
    return allowed;
  }
}

/** Refuses to write to a home that is another machine's, as its files are now. */
export function refuseWrites(files: Files, home: Home): Result<void, FileFailure | NotWrittenHere> {
  return new WriteFence(files, home).check();
}

/**
 * The same for a repair: if something else is in the place of the home's human.log, its copy tells.
 *
 * @param copy of the home's human.log
 */
export function refuseRepair(
  files: Files,
  home: Home,
  copy: string,
): Result<void, FileFailure | NotWrittenHere> {
  const own = refuseWrites(files, home);
  const isUnread = !own.ok && FileFailure.is(own.failure) && own.failure.path === home.humanLog;
  return isUnread ? new WriteFence(files, home, copy).check() : own;
}

/** Where the session of a home moved; undefined if it may be written here, or if it mirrors another one. */
export function movedTo(files: Files, home: Home): string | undefined {
  const allowed = refuseWrites(files, home);
  if (allowed.ok || allowed.failure.kind !== "moved-away") return undefined;
  return allowed.failure.to ?? UNKNOWN_PLACE;
}

/** Its `place.json` is damaged, or names a move that is not on record. */
const UNKNOWN_PLACE = "a place that is not known here";

/**
 * The home whose `place.json` and `human.log` tell who owns a session. A revision's is inside of it, and moves with it.
 */
function ownerHome(home: Home): Home {
  return revisionNumber(basename(home.directory)) === undefined ? home : parentHome(home);
}

/**
 * Refuses to write to a home that is another machine's.
 *
 * @param lastMoved the last `moved` record of the owner's home
 */
function refuseForeign(
  files: Pick<Files, "read">,
  home: Home,
  lastMoved: Moved | undefined,
): Result<void, FileFailure | NotWrittenHere> {
  const { directory } = home;
  const read = files.read(placePath(ownerHome(home)));
  if (!read.ok) return read;
  const place = read.value === undefined ? undefined : placeIn(read.value);
  if (place === "damaged") return fail(MovedAway({ directory, to: undefined }));
  if (mayWriteHere({ lastMoved, place })) return ok(undefined);
  if (place?.mirrors === undefined) return fail(MovedAway({ directory, to: lastMoved?.to }));
  return fail(MirrorIsReadOnly({ directory, executor: place.mirrors.executor }));
}

function placeIn(bytes: Uint8Array): PlaceJson | "damaged" {
  const json = jsonOf(Buffer.from(bytes).toString("utf8"));
  return PlaceJson.safeParse(json, { jitless: true }).data ?? "damaged";
}
