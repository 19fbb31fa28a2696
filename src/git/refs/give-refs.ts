import { join } from "node:path";
import { BASE_REFS_BYTES_MAX, BASE_TAGS_BYTES_MAX } from "./refs-limits.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { frozenPacks, frozenRefsText, PACK_FILE } from "./frozen-refs.ts";
import { mergedRefs } from "./packed-refs.ts";

/**
 * Puts the references with which the session began into a clone, as packed ones.
 *
 * @param others whether the clone's own references stay, also where they have the same name; a tree in which commits are
 *   judged has no others
 */
export async function giveRefs(
  repo: CloneRepo,
  others: "kept" | "removed",
): Promise<Result<void, GitFailure>> {
  const { context, hub, branch, refs: frozen } = repo;
  if (frozen === undefined) return ok(undefined);
  // An engine or a command may have made links of what is written and cleared here.
  const restored = repo.restore();
  if (!restored.ok) return restored;
  const wanted = await frozenRefsText(context, { hub: hub.directory, branch, frozen });
  if (!wanted.ok) return wanted;
  const placed = place(repo, { wanted: wanted.value, packs: frozenPacks(frozen), others });
  return placed.ok ? ok(undefined) : fail(fileAsGitFailure("open", placed.failure));
}

interface Placing {
  readonly wanted: string;
  readonly packs: string;
  readonly others: "kept" | "removed";
}

function place(repo: CloneRepo, { wanted, packs, others }: Placing): Result<void, FileFailure> {
  const { context, location, branch } = repo;
  const isKept = (name: string) =>
    others === "kept" || name === `${HEADS}/${branch}` || name.startsWith(`${OWN}/`);
  const cleared = others === "kept" ? ok(undefined) : clearLoose(repo, "refs");
  if (!cleared.ok) return cleared;
  // The objects first: a reference must not name what is not there.
  const copied = copyPacks(repo, packs);
  if (!copied.ok) return copied;
  const path = join(location.commonDirectory, "packed-refs");
  const present = context.files.read(path, BASE_REFS_BYTES_MAX);
  if (!present.ok) return present;
  const before = Buffer.from(present.value ?? []).toString("latin1");
  const merged = before === wanted ? before : mergedRefs(before, wanted, isKept);
  if (before === merged) return ok(undefined);
  return context.files.replace(path, Buffer.from(merged, "latin1"));
}

const HEADS = "refs/heads";
/** What wisp notes in a clone. */
const OWN = "refs/wisp";

/** Removes the files of all references below a folder but the session's branch and wisp's own. */
function clearLoose(repo: CloneRepo, folder: string): Result<void, FileFailure> {
  const { context, location, branch } = repo;
  const listed = context.directories.entries(join(location.commonDirectory, folder));
  if (!listed.ok) return listed;
  for (const { name, kind } of listed.value) {
    const full = `${folder}/${name}`;
    if (full === OWN || full === `${HEADS}/${branch}`) continue;
    const leadsToBranch = `${HEADS}/${branch}`.startsWith(`${full}/`);
    const done =
      kind === "directory" && leadsToBranch
        ? clearLoose(repo, full)
        : context.directories.removeTree(join(location.commonDirectory, full));
    if (!done.ok) return done;
  }
  return ok(undefined);
}

/** Copies the packs that the clone lacks, or has with another size; the index last. */
function copyPacks(
  { context: { files, directories }, location }: CloneRepo,
  packs: string,
): Result<void, FileFailure> {
  if (directories.kindOf(packs) !== "directory") return ok(undefined);
  const listed = files.list(packs);
  if (!listed.ok) return listed;
  const names = listed.value.filter((name) => PACK_FILE.test(name));
  const size = (path: string) => files.stat(path)?.sizeBytes;
  for (const name of names.sort((one, other) => Number(isIndex(one)) - Number(isIndex(other)))) {
    const [from, to] = [join(packs, name), join(location.commonDirectory, "objects/pack", name)];
    if (size(from) === size(to)) continue;
    const bytes = files.read(from, BASE_TAGS_BYTES_MAX);
    if (!bytes.ok) return bytes;
    const removed = directories.removeTree(to);
    if (!removed.ok) return removed;
    const copied = files.createCopy(to, bytes.value ?? new Uint8Array());
    if (!copied.ok) return copied;
  }
  return ok(undefined);
}

function isIndex(name: string): boolean {
  return name.endsWith(".idx");
}
