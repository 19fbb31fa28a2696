import type { Unusual } from "../../evidence/unusual/find-unusual.ts";
import type { Oid } from "../../base/oid.ts";
import type { Role } from "../../base/role.ts";
import type { EditCopy } from "../../fs-protocol/home/edit-copies.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { LinkJson } from "../../fs-protocol/home/link-json.ts";
import type { FarPlace } from "../../fs-protocol/home/place-json.ts";
import type { Quarantined } from "../../fs-protocol/codec/log-fold.ts";
import type { TurnRefusals } from "../../session/state/role-turns.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { Troubles } from "../../session/state/role-troubles.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { LaterCommits } from "../finished/later-facts.ts";
import type { RemoteSeen } from "../finished/read-remote-seen.ts";
import type { DamagedRevision, RevisionStatus } from "../finished/revision-status.ts";
import type { SensitiveChange } from "../finished/sensitive-changes.ts";
import type { ShippedFacts } from "../finished/shipped-work.ts";

/** Everything that a status is built from; `status.ts` reads it. */
export interface StatusFacts {
  readonly session: SessionJson;
  readonly home: Home;
  readonly state: SessionState;
  /** The holders whose leases a living process holds. */
  readonly alive: ReadonlySet<Role | "supervisor">;
  /** Where it runs, if that is elsewhere, and what was last heard from there. */
  readonly mirrors?: FarPlace | undefined;
  readonly link?: LinkJson | undefined;
  /** Where it moved, if its home here was left. Absent if not, or if not read. */
  readonly movedTo?: string | undefined;
  readonly quarantined: readonly Quarantined[];
  readonly troubles?: Troubles | undefined;
  /** Tool calls that engines were refused in running turns; absent if not read. */
  readonly refusedNow?: ReadonlyMap<Role, TurnRefusals> | undefined;
  /** Copies of what others wrote to files of the home; absent if not read. */
  readonly edits?: readonly EditCopy[] | undefined;
  /** What keeps all roles from working in the home. */
  readonly homeTrouble?: string | undefined;
  /** The command that such a home needs before anything can continue. */
  readonly homeWayOn?: string | undefined;
  /** The reason that the last supervisor recorded for its end, next to its log. */
  readonly supervisorSaid?: string | undefined;
  /** How many of its revisions are complete, and all of them with their states. */
  readonly revised?: number | undefined;
  readonly revisions?: readonly RevisionStatus[] | undefined;
  /** Its revisions that cannot be read; absent if not read. */
  readonly damagedRevisions?: readonly DamagedRevision[] | undefined;
  /**
   * The unreviewed commits of the session and its revisions; absent: derived from its own files
   * alone.
   */
  readonly later?: LaterCommits | undefined;
  /** For shipped work and its revisions. Absent if it was not shipped, or if not read. */
  readonly taken?: ShippedFacts | undefined;
  /**
   * If a person rewrote or deleted the branch: the furthest recorded commit. Absent if not checked.
   */
  readonly recorded?: Oid | undefined;
  /** Whether its roles have clones; absent if not checked. */
  readonly hasClones?: boolean | undefined;
  /**
   * For a session that has ended: changed files that can run something outside of it. Absent if not
   * read.
   */
  readonly sensitive?: readonly SensitiveChange[] | undefined;
  /** For such a session: what is unusual about its commits. Absent if not read. */
  readonly unusual?: readonly Unusual[] | undefined;
  /** Where the remote's branch was last seen. Absent if not read, or if nothing is known. */
  readonly remoteSeen?: RemoteSeen | undefined;
  readonly nowMs: number;
}

/** The facts that determine the next commands. */
export type NextFacts = Pick<
  StatusFacts,
  | "session"
  | "home"
  | "state"
  | "alive"
  | "edits"
  | "mirrors"
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
