import { dirname, join } from "node:path";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { FRAME_BYTES_MAX } from "../../base/limits.ts";
import { shown } from "../../base/words/shown.ts";
import { HOME_FILES } from "../../fs-protocol/home/catalogue.ts";
import { placePath, type PlaceJson } from "../../fs-protocol/home/place-json.ts";
import { readBranchApart } from "../../git/repository/branch-apart.ts";
import { followMirror } from "../../git/repository/mirror-branch.ts";
import { openHub } from "../../git/repository/hub.ts";
import { excludeFromGit, findRepository } from "../../git/repository/repository.ts";
import { clearDirectories } from "../../host/files/mirror-file.ts";
import { receiveFile } from "../../host/files/receive-file.ts";
import { listHome } from "../../remote/mirror/list-home.ts";
import { stateDirectory } from "../../workspace/state-directory.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { EXCLUDED_FROM_GIT } from "../start/excluded-from-git.ts";
import { digestHome } from "./digest-home.ts";
import { ownPlaceJson } from "./look-at-side.ts";
import type { OwnSide } from "./own-side.ts";
import { clearArrivals, type Arrived } from "./parcel.ts";

/** The branch of a session cannot be moved to where it is on the other machine. */
export const BranchInTheWay = refusal(
  "branch-in-the-way",
  EXIT.failure,
  ({ branch, why }: { readonly branch: string; readonly why: "checked-out" | "diverged" }) => [
    why === "checked-out"
      ? `The branch ${shown(branch)} is checked out, so it cannot be brought up to date for the session.`
      : `The branch ${shown(branch)} has commits here that the session does not have.`,
    why === "checked-out"
      ? "The session has not moved yet. Check out another branch, then run the same command again."
      : "The session has not moved yet. Move those commits to another branch, then run the same command again.",
  ],
);

/**
 * Replaces each file of a home by the one that arrived, and removes what the other home does not have. The caller holds
 * all leases, and has compared them. Killed anywhere, the home is not mistaken for one that may be written.
 */
export async function takeIn(world: World, side: OwnSide, { head, directory }: Arrived) {
  const { host } = world;
  const repository = need(await findRepository(gitContext(world), side.repository));
  need(excludeFromGit(gitContext(world), repository, EXCLUDED_FROM_GIT));
  const { state } = placeHere(world, side);
  await bringBranch(world, side, { branch: head.branch, head: head.head });
  for (const { path, base64 } of [...head.prompts, ...(head.refs ?? [])]) {
    const to = join(state, path);
    need(host.files.makeDirectory(dirname(to)));
    need(host.files.replace(to, Buffer.from(base64, "base64")));
  }
  const listed = need(listHome(host, directory));
  const known = new Map(digestHome(host, side.home.directory).map((file) => [file.path, file]));
  const sent = new Map(head.files.map((file) => [file.path, file]));
  for (const path of [...listed.files.keys()].sort(byWeight)) {
    const file = sent.get(path);
    const isThere = file !== undefined && known.get(path)?.sha256 === file.sha256;
    if (!isThere) copyOver(world, join(directory, path), join(side.home.directory, path));
  }
  for (const path of known.keys()) {
    if (!sent.has(path)) need(host.files.remove(join(side.home.directory, path)));
  }
  clearArrivals(host, side);
}

/** The log that says who owns the session comes first, and the file by which a session is found comes last. */
function byWeight(one: string, other: string): number {
  return weight(one) - weight(other);
}

function weight(path: string): number {
  if (path === HOME_FILES.humanLog.path) return 0;
  return path === HOME_FILES.sessionJson.path ? 2 : 1;
}

/** What `place.json` says of this machine; it is made if there is none. */
function placeHere(world: World, side: OwnSide): PlaceJson {
  const before = ownPlaceJson(world.host, side);
  if (before !== undefined) return before;
  const { repository, id } = side;
  const state = stateDirectory(world.host.directories, world.env, { repository, id });
  need(world.host.files.makeDirectory(state));
  const placed: PlaceJson = { version: 1, repository, state };
  writePlace(world, side, placed);
  return placed;
}

/** Writes `place.json`. */
export function writePlace({ host: { files } }: World, { home }: OwnSide, placed: PlaceJson): void {
  need(files.makeDirectory(home.locks));
  need(files.replace(placePath(home), Buffer.from(`${JSON.stringify(placed, undefined, 2)}\n`)));
}

/**
 * Brings the session branch to where it is on the other machine.
 *
 * @param head where it is there; undefined: where it was when it was heard of last
 */
export async function bringBranch(
  world: World,
  { repository: directory, id: session }: OwnSide,
  { branch, head }: { readonly branch: string; readonly head?: string | undefined },
): Promise<void> {
  const git = gitContext(world);
  const of = { directory, branch, session };
  const { relation, isCheckedOut } = need(await readBranchApart(git, of, undefined));
  if (relation === "behind") {
    if (isCheckedOut) throw new CannotGoOn(BranchInTheWay({ branch, why: "checked-out" }));
    need(await followMirror(git, of));
  } else if (relation !== "same") {
    throw new CannotGoOn(BranchInTheWay({ branch, why: "diverged" }));
  }
  const now = await openHub(git, directory).head(branch);
  if (head === undefined || now === head) return;
  throw new CannotGoOn(BranchInTheWay({ branch, why: "diverged" }));
}

function copyOver({ host: { files } }: World, from: string, to: string): void {
  need(files.makeDirectory(dirname(to)));
  need(clearDirectories(to));
  const receiver = need(receiveFile(to));
  for (let at = 0; ;) {
    const chunk = files.readChunk(from, at, FRAME_BYTES_MAX);
    if (!chunk.ok) receiver.drop();
    const bytes = need(chunk);
    if (bytes.length === 0) break;
    receiver.write(bytes);
    at += bytes.length;
  }
  need(receiver.finish());
}
