import { join } from "node:path";
import { ROLES } from "../../base/role.ts";
import { clonesDirectory } from "../../fs-protocol/home/session-json.ts";
import { treesDirectory } from "../../evidence/verify-tree/tree-place.ts";
import { namesIn } from "../../host/files/entry-kind.ts";
import { DiskUse } from "../../host/files/disk-use.ts";
import { whyKept, type PruneLimits } from "../../session/rules/why-kept.ts";
import {
  keptOnDisk,
  ownsHome,
  type KeptOnDisk,
  type KeptSession,
} from "../../workspace/disk/kept-sessions.ts";
import { leftOnDisk } from "../../workspace/disk/leftovers-on-disk.ts";
import { unusedPrograms } from "../../workspace/disk/unused-programs.ts";
import { pruneFacts } from "../../workspace/disk/prune-facts.ts";
import type { World } from "../../workspace/world.ts";
import { movingNote } from "../move/moving-note.ts";
import {
  KEEP_WORDS,
  type PrunedLeftover,
  type PrunedProgram,
  type PrunedSession,
  type SessionBytes,
} from "../../views/prune/prune-view.ts";

/** A session and what is told of it. */
export interface Measured {
  readonly kept: KeptSession;
  readonly told: PrunedSession;
  /** What removing it would lose for good, in a sentence. */
  readonly loses: string;
}

/** What is on the disk, with its sizes, and what of it may be removed. */
export interface PruneReading {
  readonly sessions: readonly Measured[];
  readonly leftovers: readonly PrunedLeftover[];
  readonly programs: readonly PrunedProgram[];
  readonly unreadable: KeptOnDisk["unreadable"];
  readonly repositories: readonly string[];
  readonly isPart: boolean;
}

type Machine = Pick<World, "host" | "env" | "program" | "cwd">;

/** Looks at the disk, and changes nothing. */
export async function readPrune(
  world: Machine,
  choose: (all: readonly KeptSession[]) => readonly KeptSession[] | undefined,
  limits: PruneLimits,
): Promise<PruneReading> {
  const all = keptOnDisk(world);
  const chosen = choose(all.sessions);
  const disk = new DiskUse();
  const sessions: Measured[] = [];
  for (const kept of chosen ?? all.sessions)
    sessions.push(await measured(world, kept, { disk, limits, isNamed: chosen !== undefined }));
  const left = chosen === undefined ? leftOnDisk(world, all) : [];
  const leftovers = left.map(({ path, what, kept }) => {
    return { path, what, bytes: disk.bytesAt(path), kept, isRemoved: false };
  });
  const unused = chosen === undefined ? unusedPrograms(world, all.sessions) : [];
  const programs = unused.map((path) => ({ path, bytes: disk.bytesAt(path), isRemoved: false }));
  const { repositories } = all;
  const unreadable = chosen === undefined ? all.unreadable : [];
  return { sessions, leftovers, programs, unreadable, repositories, isPart: disk.isPart };
}

async function measured(
  world: Machine,
  kept: KeptSession,
  { disk, limits, isNamed }: Measuring,
): Promise<Measured> {
  const facts = await pruneFacts(world, kept);
  const why =
    whyKept(facts, limits) ??
    (isHeldThere(world, kept, { limits, isNamed }) ? "mirrors" : undefined);
  const { session } = kept.found;
  const parts = bytesOf(kept, disk);
  const told = {
    ...{ session: session.id, branch: session.branch, repository: session.repository },
    ...{ isOrphan: kept.at === "orphan", ageMs: facts.ageMs, parts, state: session.state },
    bytes: parts.records + parts.reports + parts.clones + parts.verifyTrees + parts.copies,
    ...{ kept: why, why: why && KEEP_WORDS[why], isRemoved: false },
  };
  return { kept, told, loses: losesWords(facts.unsaved, hasPlace(world, kept)) };
}

interface Measuring {
  readonly disk: DiskUse;
  readonly limits: PruneLimits;
  /** Whether a person named the session. */
  readonly isNamed: boolean;
}

/** Whether a session has a place that pruning it would not remove: no other machine is asked about one that nobody named. */
function isHeldThere(
  { host }: Machine,
  { found, at }: KeptSession,
  { limits, isNamed }: Omit<Measuring, "disk">,
): boolean {
  if (!hasPlace({ host }, { found, at })) return false;
  return found.mirrors === undefined ? !limits.force : !isNamed;
}

function hasPlace(
  { host: { files } }: Pick<Machine, "host">,
  { found, at }: Pick<KeptSession, "found" | "at">,
): boolean {
  return at === "home" && (found.mirrors ?? movingNote(files, found.home)) !== undefined;
}

function losesWords(unsaved: readonly string[], isElsewhere: boolean): string {
  const records = "the records, by which wisp could continue, revise or explain it";
  if (isElsewhere)
    return `${records}. What only clones at its place hold is told before it is lost.`;
  if (unsaved.length === 0)
    return `${records}. What only its clones hold is kept under refs/wisp/rescue/.`;
  return `${records}, and what only these clones hold: ${unsaved.join(", ")}.`;
}

function bytesOf(kept: KeptSession, disk: DiskUse): SessionBytes {
  const { session, home } = kept.found;
  const homes = [home, ...kept.revisions.map((revision) => revision.home)];
  const sum = (paths: readonly string[]) =>
    paths.reduce((bytes, path) => bytes + disk.bytesAt(path), 0);
  // The folders inside are measured before those around them, because nothing is counted twice.
  const reports = ownsHome(kept) ? sum(homes.map(({ reportPage }) => reportPage)) : 0;
  const records = ownsHome(kept) ? disk.bytesAt(home.directory) : 0;
  const clones = sum(ROLES.flatMap((role) => clonesIn(clonesDirectory(session, role))));
  const verifyTrees = disk.bytesAt(treesDirectory(session));
  return { records, reports, clones, verifyTrees, copies: disk.bytesAt(session.state) };
}

/** Clones with all that belongs to them: everything that an engine could write to. */
function clonesIn(above: string): readonly string[] {
  return namesIn(above)
    .filter((name) => name !== "kept")
    .map((name) => join(above, name));
}
