import { dirname, join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import { deleteUntouchedBranch } from "../../git/repository/branches.ts";
import { removeEmptyDirectories } from "../../host/files/empty-directories.ts";
import { findLeftovers, removeLeftover } from "../../host/files/leftovers.ts";
import { withShortLock } from "../../host/locks/short-lock.ts";
import { isStarting, readStartMark, type StartMark } from "../../host/processes/start-mark.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { frozenPrompts } from "./prompt-files.ts";
import { listSessions, readSession, sessionsDirectory } from "../../workspace/sessions.ts";
import { repositoryState } from "../../workspace/state-directory.ts";

/** Long after any start that is at work, wherever it is. */
const OLD_MS = 60_000;
const DRAFT = /^(\.new-[0-9a-f-]{36})\.json$/;

/** A start that was killed: the home that it was making, and what it said that it would make. */
interface KilledStart {
  readonly directory: string;
  readonly markPath: string;
  readonly mark: StartMark;
}

/** What the log of a branch says of how it was made: by which start. */
export function startNote(draftName: string): string {
  return `wisp: start ${draftName}`;
}

/**
 * Takes away what killed starts left: their branches, while nobody has touched them, and their unfinished
 * homes. A start that is at work is left alone, and so is what cannot be proved to be of a start.
 */
export async function clearKilledStarts(
  world: Pick<World, "host" | "env">,
  repository: string,
): Promise<void> {
  const parent = sessionsDirectory(repository);
  const names = world.host.files.list(parent);
  if (!names.ok || !names.value.some((name) => name.startsWith(".new-"))) return;
  // One at a time: who removes a branch must know that it is still the one that was looked at.
  await withShortLock(join(parent, ".starts"), async () => {
    for (const killed of killedStarts(world, parent)) await clear(world, repository, killed);
    for (const leftover of findLeftovers([parent], world.host.clock.nowMs()))
      removeLeftover(leftover);
  });
}

function killedStarts({ host }: Pick<World, "host">, parent: string): readonly KilledStart[] {
  const names = host.files.list(parent);
  if (!names.ok) return [];
  return names.value.flatMap((name) => {
    const draftName = DRAFT.exec(name)?.[1];
    if (draftName === undefined) return [];
    const markPath = join(parent, name);
    const mark = readStartMark(host.files, markPath);
    const changedMs = host.files.stat(markPath)?.changedMs ?? Infinity;
    const isOld = host.clock.nowMs() - changedMs > OLD_MS;
    if (mark === undefined || isStarting(mark, isOld)) return [];
    return [{ directory: join(parent, draftName), markPath, mark }];
  });
}

async function clear(
  world: Pick<World, "host" | "env">,
  repository: string,
  { directory, markPath, mark }: KilledStart,
): Promise<void> {
  const { files, directories } = world.host;
  const { branch, base, state } = mark;
  // It may have been killed when all but the mark's removal was done.
  if (!isOfSession(files, repository, mark)) {
    const note = startNote(directory.slice(directory.lastIndexOf("/") + 1));
    const place = { directory: repository, branch };
    const deleted = await deleteUntouchedBranch(gitContext(world), place, { base, note });
    // The mark stays, for the next one to try.
    if (!deleted.ok) return;
    // Anybody may have written the mark: what it names is removed with what is in it only where sessions are.
    if (dirname(state) === repositoryState(world.env, repository)) {
      directories.removeTree(frozenPrompts(state));
    }
    removeEmptyDirectories(state, state);
  }
  directories.removeTree(directory);
  files.remove(markPath);
}

function isOfSession(files: Files, repository: string, { branch }: StartMark): boolean {
  const homes = listSessions(files, repository);
  // What cannot be looked at may be anybody's.
  if (!homes.ok) return true;
  return homes.value.some((home) => {
    const found = readSession(files, home);
    return !found.ok || found.value.session.branch === branch;
  });
}
