import { dirname } from "node:path";
import { HOME_FILE_NAMES } from "./catalogue.ts";
import { ROLES } from "../../base/role.ts";
import { homeDirectories } from "./home-directories.ts";
import { leasePath, revisionNumber, type Home } from "./home.ts";
import { COPIED_FILES, copyPath, planCopies, sessionCopyPath } from "./copy-path.ts";
import type { SessionJson } from "./session-json.ts";

/** A path of a session, and what should be there. */
export interface ExpectedEntry {
  readonly path: string;
  readonly expected: "file" | "directory";
}

const HOLDERS = ["supervisor", ...ROLES] as const;

/** Directories of a session in which wisp looks for files, parents before children. */
export function directoryPlaces(home: Home, session: CopiedSession): readonly ExpectedEntry[] {
  const ownCopies = HOLDERS.map((holder) => dirname(copyPath(session, `${holder}Log`)));
  const sharedCopies = dirname(copyPath(session, "humanLog"));
  return [
    ...homeDirectories(home),
    home.requests,
    home.edits,
    sharedCopies,
    planCopies(session),
    ...ownCopies.flatMap((path) => [dirname(path), path]),
  ].map((path) => ({ path, expected: "directory" }));
}

type CopiedSession = Pick<SessionJson, "state" | "createdAt">;

/** Files of a session that have fixed names. */
export function filePlaces(home: Home, session: CopiedSession): readonly ExpectedEntry[] {
  return [
    ...HOME_FILE_NAMES.map((name) => home[name]),
    ...HOLDERS.map((holder) => leasePath(home, holder)),
    ...HOLDERS.map((holder) => `${leasePath(home, holder)}.json`),
    ...COPIED_FILES.map((name) => copyPath(session, name)),
    sessionCopyPath(session),
  ].map((path) => ({ path, expected: "file" }));
}

/**
 * What should be at a name in a directory of a home that is not known beforehand; undefined if
 * anything may be there.
 */
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
