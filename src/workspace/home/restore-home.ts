import { basename, dirname } from "node:path";
import { HOME_FILE_NAMES, homeFile } from "../../fs-protocol/home/catalogue.ts";
import { LeaseHeld } from "../../base/ports/locks.ts";
import { copiedFile, SharedFiles } from "../../home/shared-files.ts";
import { daemonMark } from "../../agents/supervisor/daemon-mark.ts";
import { need } from "../../base/fatal.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { ROLES } from "../../base/role.ts";
import { homeDirectories } from "../../fs-protocol/home/home-directories.ts";
import { leasePath } from "../../fs-protocol/home/home.ts";
import { encodeSession } from "../../fs-protocol/home/session-json.ts";
import { entryKind } from "../../host/files/entry-kind.ts";
import type { Host } from "../../host/host.ts";
import { copiedFiles, isUnreadable, oddEntries, type OddEntry } from "./home-shape.ts";
import type { FoundSession } from "../sessions.ts";

/** What was moved aside, and its new path. */
export interface MovedAside {
  readonly from: string;
  readonly to: string;
}

/**
 * Moves aside whatever occupies the places of a session's leases, so that they can be taken. Fails
 * while a process that was started for the session is alive, whatever became of its lease.
 */
export async function clearLocks(
  host: Pick<Host, "clock" | "directories" | "processes">,
  found: FoundSession,
): Promise<Result<readonly MovedAside[], LeaseHeld>> {
  const { home } = found;
  const inTheWay = oddEntries(found).filter(
    ({ path }) => path === home.locks || dirname(path) === home.locks,
  );
  if (inTheWay.length === 0) return ok([]);
  const holders = ["supervisor", ...ROLES] as const;
  const marks = holders.map((holder) => daemonMark(home, holder));
  const daemons = await host.processes.findDaemons(marks);
  for (const holder of holders) {
    const [alive] = daemons.get(daemonMark(home, holder)) ?? [];
    if (alive === undefined) continue;
    const since = new Date(host.clock.nowMs()).toISOString();
    return fail(LeaseHeld({ path: leasePath(home, holder), holder: { ...alive, since } }));
  }
  return ok(inTheWay.map((entry) => moveAside(host, entry)));
}

/**
 * Renames an entry to a free name next to it. The entry itself, or what a link points to, does not
 * change.
 */
function moveAside({ directories }: Pick<Host, "directories">, { path }: OddEntry): MovedAside {
  for (let number = 1; ; number++) {
    const to = `${path}.aside-${String(number)}`;
    if (entryKind(to) !== undefined) continue;
    need(directories.move(path, to));
    return { from: path, to };
  }
}

/**
 * Restores a home: odd entries are moved aside, directories are created, and files are restored
 * from the copies outside of the home. The caller holds all leases of the session.
 *
 * @returns what was moved aside
 */
export async function restoreHome(host: Host, found: FoundSession): Promise<readonly MovedAside[]> {
  const moved = oddEntries(found).map((entry) => moveAside(host, entry));
  await restoreCopies(host, found);
  return moved;
}

/** The same for a home without odd entries. */
export async function restoreCopies(host: Host, { home, session }: FoundSession): Promise<void> {
  const { files } = host;
  // Even in a removed home, `locks/` exists by now, because the caller holds the leases.
  const isRemoved = entryKind(home.sessionJson) === undefined;
  for (const path of homeDirectories(home)) {
    if (entryKind(path) === undefined) need(files.makeDirectory(path));
  }
  if (isUnreadable(files, home)) restoreSession(host, { home, session });
  for (const { name, copy, owner } of copiedFiles(home, session)) {
    if (owner === undefined || entryKind(copy) === undefined) continue;
    copiedFile(name, { files, home, session }).open();
  }
  await new SharedFiles({ ports: host, home, session }).restoreChanged();
  // As in a new home, files that nobody has written to yet exist and are empty.
  const empty = HOME_FILE_NAMES.filter((name) => homeFile(name).isMadeEmpty);
  for (const path of isRemoved ? empty.map((name) => home[name]) : []) {
    if (entryKind(path) === undefined) need(files.create(path, new Uint8Array()));
  }
}

/** An invalid file is kept next to the restored one. */
function restoreSession(host: Host, { home, session }: FoundSession): void {
  if (entryKind(home.sessionJson) !== undefined) {
    moveAside(host, { path: home.sessionJson, is: "file", expected: "file" });
  }
  need(host.files.replace(home.sessionJson, Buffer.from(encodeSession(session))));
}

/** A path for people, under its old name, since that is what they look for. */
export function movedAsideWords({ from, to }: MovedAside): string {
  return `${basename(from)} was moved aside, unchanged, to ${to}`;
}
