import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "./clone-repo.ts";
import { assertOids } from "../command/object-ids.ts";

/** Paths of one command: together they stay far below what an argument list may hold. */
const PATHS_MAX = 100;

/** Puts files of the work tree as they are at another commit, which has them all. */
export async function layOver(
  repo: CloneRepo,
  from: Oid,
  paths: readonly string[],
): Promise<Result<void, GitFailure>> {
  assertOids(from);
  repo.memory.settledAt = undefined;
  for (let start = 0; start < paths.length; start += PATHS_MAX) {
    const some = paths.slice(start, start + PATHS_MAX);
    const args = ["--literal-pathspecs", "checkout", "-q", "-f", from, "--", ...some];
    const laid = await repo.git.must(args);
    if (!laid.ok) return laid;
  }
  return ok(undefined);
}
