import { join } from "node:path";
import { HOME_FILE_NAMES } from "./catalogue.ts";
import { ROLES } from "../../base/role.ts";
import { homeDirectories } from "./home-directories.ts";
import { leasePath, revisionNumber, type Home } from "./home.ts";
import type { SessionJson } from "./session-json.ts";
import { isStateFile, stateDirectories } from "./state-places.ts";

/** A path of a session, and what should be there. */
export interface ExpectedEntry {
  readonly path: string;
  readonly expected: "file" | "directory";
}

const HOLDERS = ["supervisor", ...ROLES] as const;

/** Directories of a session in which wisp looks for files, parents before children. */
export function directoryPlaces(home: Home, session: CopiedSession): readonly ExpectedEntry[] {
  const paths = [...homeDirectories(home), home.requests, home.edits, ...stateDirectories(session)];
  return paths.map((path) => ({ path, expected: "directory" }));
}

type CopiedSession = Pick<SessionJson, "state" | "createdAt">;

/** Files of a home that have fixed names. */
export function filePlaces(home: Home): readonly ExpectedEntry[] {
  return [
    ...HOME_FILE_NAMES.map((name) => home[name]),
    ...HOLDERS.map((holder) => leasePath(home, holder)),
    ...HOLDERS.map((holder) => `${leasePath(home, holder)}.json`),
  ].map((path) => ({ path, expected: "file" }));
}

/**
 * What should be at a name in a directory of a session that is not known beforehand; undefined if
 * anything may be there.
 */
export function expectedIn(
  { home, session }: { readonly home: Home; readonly session: CopiedSession },
  directory: string,
  name: string,
): ExpectedEntry["expected"] | undefined {
  if (directory === home.plans) return /^[0-9a-f]{64}\.md$/u.test(name) ? "file" : undefined;
  if (directory === home.requests) return /^\d+\.md$/u.test(name) ? "file" : undefined;
  if (directory === home.logs && name.endsWith(".out")) return "file";
  const isShortLock = name.endsWith(".lock") && directory !== home.locks;
  const isRevision = directory === home.directory && revisionNumber(name) !== undefined;
  if (isShortLock || isRevision) return "directory";
  return isStateFile(session, join(directory, name)) ? "file" : undefined;
}
