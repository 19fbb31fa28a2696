import { join } from "node:path";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { MIRROR_LOOK_MS, MIRROR_WAIT_MS_MAX } from "../../base/limits.ts";
import { shown } from "../../base/words/shown.ts";
import { sendUnsent } from "../../remote/branch/send-unsent.ts";
import { MIRROR_LEASE } from "../../remote/follow/mirror-lease.ts";
import { goOnThere } from "../../remote/follow/mirror-session.ts";
import type { MirroredSession } from "../../remote/follow/mirrored-session.ts";
import { openMirrored } from "../../remote/open-mirrored.ts";
import { tellingExecutor } from "../../remote/telling-executor.ts";
import { runThere, type FarRan, type FarSize } from "../../remote/run/run-there.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { checkpointBefore } from "./checkpoint-before.ts";
import { ensureFollower } from "./ensure-follower.ts";
import { namingSession } from "./naming-session.ts";
import { revivePlace } from "./revive-place.ts";

/** The wisp at a place refused what a command asked of it. */
export const RefusedThere = refusal(
  "refused-there",
  EXIT.failure,
  ({ executor, said }: { readonly executor: string; readonly said: readonly string[] }) => [
    `${shown(executor)} refused the command: ${shown(said.at(-1) ?? "it failed there")}`,
    undefined,
    ...said.slice(0, -1).map((line) => ({ detail: shown(line) })),
  ],
);

/** A command of wisp for a session that runs elsewhere. */
export interface FarWords {
  /** The words after `wisp`. */
  readonly words: readonly string[];
  /** The directory below the work tree in which it was entered, relative to it. */
  readonly directory?: string | undefined;
  /** Receives each line that it writes to standard error. */
  readonly onLine: (line: string) => void;
}

/**
 * The session that was started, of which a revision is a part, as it can be reached elsewhere. Its place is started
 * again if it was ended.
 */
export async function reachMirrored(
  world: World,
  found: Pick<FoundSession, "session">,
): Promise<MirroredSession> {
  const { parent, id: own, repository } = found.session;
  const opened = need(await openMirrored(world, { repository, id: parent?.id ?? own }));
  const mirrored = { ...opened, executor: tellingExecutor(world, opened.executor) };
  return namingSession(found, () => revivePlace(world, mirrored));
}

/**
 * Runs a command where a session runs, and waits until what it wrote is in the files here, as long as the link holds.
 * Has the session go on there, and followed here. What a person committed here goes there first. Before a revision, the place is kept as it is, if its executor can.
 */
export function runElsewhere(world: World, found: FoundSession, words: FarWords): Promise<FarRan> {
  return namingSession(found, () => runWords(world, found, words));
}

async function runWords(
  world: World,
  found: FoundSession,
  { words, directory, onLine }: FarWords,
): Promise<FarRan> {
  const mirrored = await reachMirrored(world, found);
  const { id, home, placed } = mirrored;
  await ensureFollower(world, { id, home, repository: placed.repository });
  await sendUnsent(world, mirrored);
  await checkpointBefore(world, mirrored, words);
  const ran = need(await runThere(world.host.clock, mirrored, { words, directory, onLine }));
  // The session may have been at rest for as long as the command took.
  await followAgain(world, mirrored);
  need(await goOnThere(mirrored));
  await awaitSizes(world, mirrored, ran.sizes);
  // One that ended meanwhile had not read them yet.
  await followAgain(world, mirrored);
  return ran;
}

async function followAgain(world: World, { id, home, placed }: MirroredSession): Promise<void> {
  const isFollowed = await world.host.locks.isLeaseHeld(join(home.locks, MIRROR_LEASE));
  if (!isFollowed) await ensureFollower(world, { id, home, repository: placed.repository });
}

/** The same for what is decided by other means than a command line: on the screen, or through the MCP server. */
export async function sayThere(
  world: World,
  found: FoundSession,
  words: readonly string[],
): Promise<void> {
  const said: string[] = [];
  const onLine = (line: string) => void said.push(line);
  const { exitCode } = await runElsewhere(world, found, { words, onLine });
  if (exitCode === EXIT.ok) {
    for (const line of said) world.tell(line);
    return;
  }
  const executor = found.mirrors?.executor ?? "";
  throw new CannotGoOn(RefusedThere({ executor, said: said.map(withoutName).filter(isSaid) }));
}

function withoutName(line: string): string {
  return line.replace(/^wisp: /u, "");
}

function isSaid(line: string): boolean {
  return line.trim() !== "";
}

/** Waits until files here are as large as they were there. If the link is broken, they follow when it is back. */
async function awaitSizes(
  { host: { files, clock } }: Pick<World, "host">,
  { home }: MirroredSession,
  sizes: readonly FarSize[],
): Promise<void> {
  const endsMs = clock.nowMs() + MIRROR_WAIT_MS_MAX;
  const isHere = ({ path, bytes }: FarSize) =>
    (files.stat(`${home.directory}/${path}`)?.sizeBytes ?? -1) >= bytes;
  while (!sizes.every(isHere) && clock.nowMs() < endsMs) await clock.sleep(MIRROR_LOOK_MS);
}
