import type { Unusual } from "../../agents/unusual/find-unusual.ts";
import type { Oid } from "../../base/oid.ts";
import type { Role } from "../../base/role.ts";
import type { EditCopy } from "../../fs-protocol/home/edit-copies.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { Quarantined } from "../../fs-protocol/codec/log-fold.ts";
import type { TurnRefusals } from "../../session/state/role-turns.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { Troubles } from "../../session/state/role-troubles.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { LaterCommits } from "../finished/later-facts.ts";
import type { RemoteSeen } from "../finished/read-remote-seen.ts";
import type { DamagedRevision, RevisionStatus } from "../finished/revision-status.ts";
import type { SensitiveChange } from "../finished/sensitive-changes.ts";
import type { TakenFacts } from "../finished/taken-work.ts";

/** Everything that a status is made from; read by `status.ts`. */
export interface StatusFacts {
  readonly session: SessionJson;
  readonly home: Home;
  readonly state: SessionState;
  /** Whose leases a living process holds. */
  readonly alive: ReadonlySet<Role | "supervisor">;
  readonly quarantined: readonly Quarantined[];
  readonly troubles?: Troubles | undefined;
  /** What engines were refused in the turns that are under way; absent: it was not looked. */
  readonly refusedNow?: ReadonlyMap<Role, TurnRefusals> | undefined;
  /** Copies of what others wrote into files of the home. Absent: it was not looked. */
  readonly edits?: readonly EditCopy[] | undefined;
  /** What keeps everybody from working in the home. */
  readonly homeTrouble?: string | undefined;
  /** The command without which nothing goes on in such a home. */
  readonly homeWayOn?: string | undefined;
  /** What the last supervisor said of why it ended, beside its log. */
  readonly supervisorSaid?: string | undefined;
  /** How many revisions of it are complete, and all of them as they stand. */
  readonly revised?: number | undefined;
  readonly revisions?: readonly RevisionStatus[] | undefined;
  /** Those of its revisions that cannot be read. Absent: it was not looked. */
  readonly damagedRevisions?: readonly DamagedRevision[] | undefined;
  /** What nobody has reviewed of it and its revisions; absent: as far as its own files say. */
  readonly later?: LaterCommits | undefined;
  /** Of work that was taken, and of its revisions. Absent: it was not taken, or it was not looked. */
  readonly taken?: TakenFacts | undefined;
  /** Where a person rewrote or deleted the branch: the furthest commit on record. Absent: it was not looked. */
  readonly recorded?: Oid | undefined;
  /** Whether its roles have clones; absent: it was not looked. */
  readonly hasClones?: boolean | undefined;
  /** Of a session that has ended: files that have something run outside of it. Absent: it was not looked. */
  readonly sensitive?: readonly SensitiveChange[] | undefined;
  /** Of such a session: what its commits bring that is unusual. Absent: it was not looked. */
  readonly unusual?: readonly Unusual[] | undefined;
  /** Where the remote's branch was seen last. Absent: it was not looked, or nothing is known. */
  readonly remoteSeen?: RemoteSeen | undefined;
  readonly nowMs: number;
}

/** What of a status decides what leads on. */
export type NextFacts = Pick<
  StatusFacts,
  | "session"
  | "home"
  | "state"
  | "alive"
  | "edits"
  | "homeWayOn"
  | "hasClones"
  | "revisions"
  | "damagedRevisions"
  | "later"
  | "taken"
  | "recorded"
  | "remoteSeen"
  | "nowMs"
>;
