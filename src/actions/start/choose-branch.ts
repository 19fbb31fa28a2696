import { CannotGoOn } from "../../base/fatal.ts";
import { join } from "node:path";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import {
  branchCheckedOutAt,
  createBranch,
  isBranchName,
  takenBy,
  BadBranchName,
  type BranchExists,
} from "../../git/repository/branches.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { sessionsDirectory } from "../../workspace/sessions.ts";
import { numberedName, sessionIdOfBranch } from "../../workspace/slug.ts";

/** The branch intended for a session is checked out in a work tree. */
export const BranchCheckedOut = refusal(
  "branch-checked-out",
  EXIT.usage,
  ({ branch, directory }: { readonly branch: string; readonly directory: string }) => [
    `The branch '${shown(branch)}' is checked out in ${shown(directory)}.`,
    "A session needs a branch that is not checked out anywhere. Choose another with --branch.",
  ],
);

/** Why a branch cannot be a session's. */
export type BranchFailure = BadBranchName | BranchExists | ReturnType<typeof BranchCheckedOut>;

/** The branch of a new session, and the session's id. */
export interface ChosenBranch {
  readonly branch: string;
  readonly id: string;
}

/** The requested branch. */
interface WantedBranch {
  readonly branch: string | undefined;
  readonly slug: string;
  /** The message for the branch's reflog. */
  readonly note: string;
  /** Called before a branch is created. */
  readonly announce: (chosen: ChosenBranch) => Result<void, FileFailure>;
}

/** This many sessions of one request cannot be an accident. */
const NUMBER_MAX = 1_000;

/**
 * Creates the branch of a new session at HEAD: the requested one, or `wisp/<slug>` with the first
 * free number appended.
 */
export async function makeBranch(
  world: Pick<World, "host" | "env">,
  repository: Repository,
  wanted: WantedBranch,
): Promise<Result<ChosenBranch, BranchFailure | FileFailure | GitFailure>> {
  if (wanted.branch !== undefined) return makeNamed(world, repository, wanted.branch, wanted);
  for (let number = 1; ; number++) {
    const id = numberedName(wanted.slug, number);
    const branch = `wisp/${id}`;
    if (isTaken(world, repository, id)) continue;
    const made = await makeAnnounced(world, repository, { branch, id }, wanted);
    if (made.ok) return made;
    // A branch called `wisp` prevents all of these.
    const isFree = made.failure.kind !== "branch-exists" || made.failure.wanted !== undefined;
    if (isFree || number >= NUMBER_MAX) return made;
  }
}

/** The branch that `makeBranch` would create now; creates nothing. */
export async function previewBranch(
  world: Pick<World, "host" | "env">,
  repository: Repository,
  { branch, slug }: Pick<WantedBranch, "branch" | "slug">,
): Promise<ChosenBranch> {
  const { directory } = repository;
  const taken = (name: string) => takenBy(gitContext(world), { directory, branch: name });
  if (branch !== undefined) {
    const by = await taken(branch);
    if (by !== undefined) throw new CannotGoOn(by);
    return { branch, id: freeId(world, repository, sessionIdOfBranch(branch)) };
  }
  for (let number = 1; ; number++) {
    const id = numberedName(slug, number);
    const by = await taken(`wisp/${id}`);
    // A branch called `wisp` prevents all of these.
    if (by?.wanted !== undefined) throw new CannotGoOn(by);
    const isFree = !isTaken(world, repository, id) && by === undefined;
    if (isFree || number >= NUMBER_MAX) return { branch: `wisp/${id}`, id };
  }
}

/**
 * The id that a session with this branch will most likely get, without asking git: a branch of its name may exist.
 */
export function likelyId(
  world: Pick<World, "host" | "env">,
  repository: Repository,
  { branch, slug }: Pick<WantedBranch, "branch" | "slug">,
): string {
  return freeId(world, repository, branch === undefined ? slug : sessionIdOfBranch(branch));
}

/** Whether a branch of this name could be created; creates nothing. */
export async function checkBranch(
  world: Pick<World, "host" | "env">,
  { directory }: Repository,
  branch: string,
): Promise<void> {
  const context = gitContext(world);
  const place = { directory, branch };
  if (!(await isBranchName(context, place))) throw new CannotGoOn(BadBranchName({ branch }));
  const at = await branchCheckedOutAt(context, place);
  if (at !== undefined) throw new CannotGoOn(BranchCheckedOut({ branch, directory: at }));
}

/** Two branches may have the same slug (`a/b` and `a-b`): the second session's id gets a number. */
async function makeNamed(
  world: Pick<World, "host" | "env">,
  repository: Repository,
  branch: string,
  wanted: WantedBranch,
): Promise<Result<ChosenBranch, BranchFailure | FileFailure | GitFailure>> {
  const id = freeId(world, repository, sessionIdOfBranch(branch));
  return makeAnnounced(world, repository, { branch, id }, wanted);
}

function freeId(world: Pick<World, "host" | "env">, repository: Repository, slug: string): string {
  let number = 1;
  while (isTaken(world, repository, numberedName(slug, number))) number++;
  return numberedName(slug, number);
}

async function makeAnnounced(
  world: Pick<World, "host" | "env">,
  { directory, head: base }: Repository,
  chosen: ChosenBranch,
  { announce, note }: WantedBranch,
): Promise<Result<ChosenBranch, BranchFailure | FileFailure | GitFailure>> {
  const announced = announce(chosen);
  if (!announced.ok) return announced;
  const { branch } = chosen;
  const made = await createBranch(gitContext(world), { directory, branch }, { base, note });
  return made.ok ? ok(chosen) : made;
}

function isTaken({ host }: Pick<World, "host">, { directory }: Repository, id: string): boolean {
  return host.directories.kindOf(join(sessionsDirectory(directory), id)) !== undefined;
}
