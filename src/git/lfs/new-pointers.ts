import { LFS_POINTER_BYTES_MAX } from "./lfs-limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { hasCommit } from "../clone/history.ts";
import type { Git } from "../command/git.ts";
import { linesOf, parseBatch } from "../command/raw-output.ts";
import { newObjects } from "../repository/copy-objects.ts";
import { type LfsPointer, lfsPointerIn } from "./pointer.ts";

/** Commits of a clone: those that `to` contains and `from` does not. */
export interface PointerRange {
  readonly from: Oid;
  readonly to: Oid;
}

/** A pointer, with the file of a commit that it is. */
export interface FoundPointer extends LfsPointer {
  readonly blob: Oid;
}

/**
 * The pointers that the commits of a range bring, in any of them: also what a later one removes is fetched by whoever
 * looks at the earlier one. Starts no process for a few commits that are not packed, as after most turns.
 */
export async function newPointers(
  repo: CloneRepo,
  range: PointerRange,
): Promise<Result<readonly FoundPointer[], GitFailure>> {
  const objects = newObjects(repo.context.files, repo.location, range);
  if (objects === undefined) return askForPointers(repo, range);
  return ok(
    [...objects].flatMap(([blob, { kind, content }]) =>
      kind === "blob" ? pointerOf(blob, content) : [],
    ),
  );
}

const LATIN1 = { encoding: "latin1" } as const;

async function askForPointers(
  repo: CloneRepo,
  { from, to }: PointerRange,
): Promise<Result<readonly FoundPointer[], GitFailure>> {
  // Then the branch has moved on, and nothing is published before the clone has that, too.
  if (!(await hasCommit(repo, from))) return ok([]);
  return listPointers(repo.git, [to, `^${from}`]);
}

/**
 * The pointers in the commits that these words of `git rev-list` select. Takes at most three processes, whatever the
 * number of files.
 */
export async function listPointers(
  git: Git,
  revisions: readonly string[],
): Promise<Result<readonly FoundPointer[], GitFailure>> {
  const filter = `--filter=blob:limit=${String(LFS_POINTER_BYTES_MAX + 1)}`;
  const names = ["rev-list", "--objects", "--no-object-names", filter];
  const listed = await git.must([...names, ...revisions, "--"]);
  if (!listed.ok) return listed;
  const stdin = linesOf(listed.value).map((oid) => `${oid}\n`);
  const sized = await git.must(["cat-file", SIZES], { stdin: stdin.join("") });
  if (!sized.ok) return sized;
  const blobs = linesOf(sized.value).flatMap(mayPoint);
  if (blobs.length === 0) return ok([]);
  const wanted = blobs.map((oid) => `${oid}\n`).join("");
  const printed = await git.must(["cat-file", "--batch"], { ...LATIN1, stdin: wanted });
  if (!printed.ok) return printed;
  const texts = [...parseBatch(printed.value)];
  return ok(texts.flatMap(([blob, text]) => pointerOf(blob, Buffer.from(text, "latin1"))));
}

const SIZES = "--batch-check=%(objecttype) %(objectname) %(objectsize)";
/** No pointer is shorter: its version, the digest and the size. */
const POINTER_BYTES_MIN = 100;

function mayPoint(line: string): readonly Oid[] {
  const [kind, oid, bytes] = line.split(" ");
  const size = Number(bytes);
  const isFit = size >= POINTER_BYTES_MIN && size <= LFS_POINTER_BYTES_MAX;
  return kind === "blob" && oid !== undefined && isFit ? [oid] : [];
}

function pointerOf(blob: Oid, content: Uint8Array): readonly FoundPointer[] {
  const pointer = lfsPointerIn(content);
  return pointer === undefined ? [] : [{ ...pointer, blob }];
}
