import { dirname, join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import { ROLES, type Role } from "../../base/role.ts";
import type { SnapshotPlace } from "../codec/snapshot-file.ts";
import { copyPath } from "./copy-path.ts";
import type { SessionJson } from "./session-json.ts";

/** What a role keeps: the folds of the session's logs, or how far its projections were compared. */
export type SnapshotName = "folds" | "projections";

/** The places of a role's snapshots, which only processes of this role write. */
export type RoleSnapshots = (name: SnapshotName) => SnapshotPlace;

/** Shorter logs are folded in a tenth of a second. */
const WORTH_BYTES = 4 * 1024 * 1024;

/** The program that runs. */
export interface ProgramFiles {
  /** Its digest: another version may fold differently. */
  readonly code: string;
  /** The version of Node, which decides how values are written. */
  readonly nodeVersion: string;
}

/** Whose snapshots these are, and by which program. */
interface SnapshotOwner {
  readonly files: Files;
  readonly role: Role;
  readonly session: SessionJson;
  readonly program: ProgramFiles;
}

/** Keeps snapshots next to the copy of the role's log, where no engine can write. */
export function roleSnapshots({
  role,
  session,
  program,
}: Omit<SnapshotOwner, "files">): RoleSnapshots {
  const copy = copyPath(session, `${role}Log`);
  const key = [program.nodeVersion, program.code, JSON.stringify(session)].join("\n");
  return (name) => ({
    path: join(dirname(copy), `${name}.snapshot`),
    // The session is part of the key: an earlier one may have had the same name.
    key: () => `${name}\n${key}`,
    worthBytes: WORTH_BYTES,
  });
}

/**
 * The folds that a role of the session kept last, for a process that only reads: it keeps none. Undefined if no role
 * has kept any, as in every short session.
 */
export function newestFolds(owner: Omit<SnapshotOwner, "role">): SnapshotPlace | undefined {
  const places = ROLES.map((role) => roleSnapshots({ ...owner, role })("folds"));
  const kept = places.flatMap((place) => {
    const stat = owner.files.stat(place.path);
    return stat === undefined ? [] : [{ place, keptMs: stat.changedMs ?? 0 }];
  });
  const newest = kept.toSorted((one, other) => other.keptMs - one.keptMs)[0];
  return newest && { ...newest.place, worthBytes: Infinity };
}
