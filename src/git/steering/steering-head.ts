import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { locateGitDirectory } from "../command/git-directory.ts";
import { readHead, readRef } from "../command/read-ref.ts";
import type { SteeredClone } from "./steering-place.ts";

/** The commit checked out in a clone, read from files where possible. */
export async function headIn({
  context: { files },
  directory,
  git,
}: SteeredClone): Promise<Result<Oid, GitFailure>> {
  const located = locateGitDirectory(files, directory);
  const head = located && readHead(files, located);
  if (head !== undefined && "oid" in head) return ok(head.oid);
  const read = located && head && readRef(files, located, head.ref);
  if (read?.kind === "found") return ok(read.oid);
  return git.oid(["rev-parse", "--verify", "HEAD^{commit}"]);
}
