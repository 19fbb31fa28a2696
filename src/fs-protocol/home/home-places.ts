import { basename, dirname } from "node:path";
import { HOME_FILE_NAMES, SHARED_FILES } from "./catalogue.ts";
import { ROLES } from "../../base/role.ts";
import { homeDirectories } from "./home-directories.ts";
import { leasePath, revisionNumber, type Home } from "./home.ts";
import { keptCopyPath, planCopies, sessionCopyPath, sharedCopyPath } from "./kept-copy.ts";
import type { SessionJson } from "./session-json.ts";

/** A path of a session, and what may lie there. */
export interface ExpectedEntry {
  readonly path: string;
  readonly expected: "file" | "directory";
}

const HOLDERS = ["supervisor", ...ROLES] as const;

/** Directories of a session in which wisp looks for files, each behind the one that it lies in. */
export function directoryPlaces(home: Home, session: KeptOf): readonly ExpectedEntry[] {
  const kept = HOLDERS.map((holder) => dirname(keptCopyPath(session, holder)));
  const copies = dirname(sharedCopyPath(session, "human.log"));
  return [
    ...homeDirectories(home),
    home.requests,
    home.edits,
    copies,
    planCopies(session),
    ...kept.flatMap((path) => [dirname(path), path]),
  ].map((path) => ({ path, expected: "directory" }));
}

type KeptOf = Pick<SessionJson, "state" | "createdAt">;

/** Files of a session that have one name. */
export function filePlaces(home: Home, session: KeptOf): readonly ExpectedEntry[] {
  return [
    ...HOME_FILE_NAMES.map((name) => home[name]),
    ...HOLDERS.map((holder) => leasePath(home, holder)),
    ...HOLDERS.map((holder) => `${leasePath(home, holder)}.json`),
    ...HOLDERS.map((holder) => keptCopyPath(session, holder)),
    ...SHARED_FILES.map((name) => sharedCopyPath(session, basename(home[name]))),
    sessionCopyPath(session),
  ].map((path) => ({ path, expected: "file" }));
}

/** What may lie in a directory of a home under a name that is not known beforehand; undefined: anything. */
export function expectedIn(
  home: Home,
  directory: string,
  name: string,
): ExpectedEntry["expected"] | undefined {
  if (directory === home.plans) return /^[0-9a-f]{64}\.md$/u.test(name) ? "file" : undefined;
  if (directory === home.requests) return /^\d+\.md$/u.test(name) ? "file" : undefined;
  if (directory === home.logs && name.endsWith(".out")) return "file";
  const isShortLock = name.endsWith(".lock") && directory !== home.locks;
  const isRevision = directory === home.directory && revisionNumber(name) !== undefined;
  return isShortLock || isRevision ? "directory" : undefined;
}
