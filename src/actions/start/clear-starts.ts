import { dirname, join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import { refsDirectory } from "../../fs-protocol/home/state-places.ts";
import { deleteUntouchedBranch } from "../../git/repository/branches.ts";
import { removeEmptyDirectories } from "../../host/files/empty-directories.ts";
import { findLeftovers, removeLeftover } from "../../host/files/leftovers.ts";
import { withShortLock } from "../../host/locks/short-lock.ts";
import { isStarting, readStartMark, type StartMark } from "../../host/processes/start-mark.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { frozenPrompts } from "./prompt-files.ts";
import { listSessions, readSession, sessionsDirectory } from "../../workspace/sessions.ts";
import { repositoryState } from "../../workspace/state-directory.ts";

/** Longer than any start takes, on any machine. */
const OLD_MS = 60_000;
const DRAFT = /^(\.new-[0-9a-f-]{36})\.json$/;

/** A start that was killed: the home that it was creating, and what it had announced to create. */
interface KilledStart {
  readonly directory: string;
  readonly markPath: string;
  readonly mark: StartMark;
}

/** The reflog message of a branch, which names the start that created it. */
export function startNote(draftName: string): string {
  return `wisp: start ${draftName}`;
}

/**
 * Removes what killed starts left: their branches, if nobody has touched them, and their unfinished
 * homes. Starts that are still running are left alone, and so is anything that cannot be proved to
 * come from a start.
 */
export async function clearKilledStarts(
  world: Pick<World, "host" | "env">,
  repository: string,
): Promise<void> {
  const parent = sessionsDirectory(repository);
  const names = world.host.files.list(parent);
  if (!names.ok || !names.value.some((name) => name.startsWith(".new-"))) return;
  // One at a time: a branch must still be the one that was inspected when it is removed.
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
  // It may have been killed just before removing the mark.
  if (!isOfSession(files, repository, mark)) {
    const note = startNote(directory.slice(directory.lastIndexOf("/") + 1));
    const place = { directory: repository, branch };
    const deleted = await deleteUntouchedBranch(gitContext(world), place, { base, note });
    // The mark stays, so that the next command tries again.
    if (!deleted.ok) return;
    // Anybody may have written the mark: what it names is removed with its content only in wisp's
    // own state directory.
    if (dirname(state) === repositoryState(world.env, repository)) {
      directories.removeTree(frozenPrompts(state));
      directories.removeTree(refsDirectory({ state }));
    }
    removeEmptyDirectories(state, state);
  }
  directories.removeTree(directory);
  files.remove(markPath);
}

function isOfSession(files: Files, repository: string, { branch }: StartMark): boolean {
  const homes = listSessions(files, repository);
  // What cannot be read may be somebody's session.
  if (!homes.ok) return true;
  return homes.value.some((home) => {
    const found = readSession(files, home);
    return !found.ok || found.value.session.branch === branch;
  });
}
