import { basename, dirname } from "node:path";
import { HOME_FILE_NAMES, homeFile } from "../../fs-protocol/home/catalogue.ts";
import { LeaseHeld } from "../../base/ports/locks.ts";
import { copiedFile, SharedFiles } from "../../agents/home/shared-files.ts";
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

/** What was moved aside, and where to. */
export interface MovedAside {
  readonly from: string;
  readonly to: string;
}

/**
 * Before the leases of a session can be taken: moves aside what lies in their place. Only while no process that
 * was started for the session lives, whatever became of its lease.
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
  for (const holder of ["supervisor", ...ROLES] as const) {
    const [alive] = await host.processes.findDaemons(daemonMark(home, holder));
    if (alive === undefined) continue;
    const since = new Date(host.clock.nowMs()).toISOString();
    return fail(LeaseHeld({ path: leasePath(home, holder), holder: { ...alive, since } }));
  }
  return ok(inTheWay.map((entry) => moveAside(host, entry)));
}

/** Gives it a free name beside its own. What it is, or leads to, stays as it is. */
function moveAside({ directories }: Pick<Host, "directories">, { path }: OddEntry): MovedAside {
  for (let number = 1; ; number++) {
    const to = `${path}.aside-${String(number)}`;
    if (entryKind(to) !== undefined) continue;
    need(directories.move(path, to));
    return { from: path, to };
  }
}

/**
 * Makes a home whole, for who holds all leases of its session: what is odd is moved aside, directories are made,
 * and what copies outside of the home hold is put back.
 *
 * @returns what was moved aside
 */
export async function putBackHome(host: Host, found: FoundSession): Promise<readonly MovedAside[]> {
  const moved = oddEntries(found).map((entry) => moveAside(host, entry));
  await putBackCopies(host, found);
  return moved;
}

/** The same for a home in which nothing is odd. */
export async function putBackCopies(host: Host, { home, session }: FoundSession): Promise<void> {
  const { files } = host;
  // Of a home that was removed `locks/` is there by now: who is here has the leases.
  const isRemoved = entryKind(home.sessionJson) === undefined;
  for (const path of homeDirectories(home)) {
    if (entryKind(path) === undefined) need(files.makeDirectory(path));
  }
  if (isUnreadable(files, home)) putBackSession(host, { home, session });
  for (const { name, copy, owner } of copiedFiles(home, session)) {
    if (owner === undefined || entryKind(copy) === undefined) continue;
    copiedFile(name, { files, home, session }).open();
  }
  await new SharedFiles({ ports: host, home, session }).restoreChanged();
  // As in a new home: what nobody has written to yet is there and empty.
  const empty = HOME_FILE_NAMES.filter((name) => homeFile(name).isMadeEmpty);
  for (const path of isRemoved ? empty.map((name) => home[name]) : []) {
    if (entryKind(path) === undefined) need(files.create(path, new Uint8Array()));
  }
}

/** What is there and says nothing stays beside it. */
function putBackSession(host: Host, { home, session }: FoundSession): void {
  if (entryKind(home.sessionJson) !== undefined) {
    moveAside(host, { path: home.sessionJson, is: "file", expected: "file" });
  }
  need(host.files.replace(home.sessionJson, Buffer.from(encodeSession(session))));
}

/** A path for people: how it was named before is how it is looked for. */
export function movedAsideWords({ from, to }: MovedAside): string {
  return `${basename(from)} was moved aside: it is ${to} now, unchanged`;
}
