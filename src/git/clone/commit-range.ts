import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { CloneRange } from "../command/clone-memory.ts";
import type { CloneRepo } from "./clone-repo.ts";
import { linesOf } from "../command/git.ts";
import { assertOids, printedOids } from "../command/object-ids.ts";

/**
 * The range between two commits that the clone has. The one asked for last is remembered: a turn's
 * commits are asked for when it ends, before they are rebased and before they are published.
 */
export async function rangeInClone(
  repo: CloneRepo,
  from: Oid,
  to: Oid,
): Promise<Result<CloneRange, GitFailure>> {
  assertOids(from, to);
  const { git, memory } = repo;
  if (from === to) return ok({ from, to, commits: [], hasMerges: false, isBehind: false });
  if (memory.range?.from === from && memory.range.to === to) return ok(memory.range);
  const options = ["--reverse", "--topo-order", "--left-right", "--parents"];
  const printed = await git.must(["rev-list", ...options, `${from}...${to}`, "--"]);
  if (!printed.ok) return printed;
  const lines = linesOf(printed.value);
  const own = lines.filter((line) => line.startsWith(">")).map((line) => line.slice(1).split(" "));
  const commits = printedOids(own.map(([oid]) => oid).join("\n"), git);
  if (!commits.ok) return commits;
  memory.range = {
    from,
    to,
    commits: commits.value,
    // A commit and more than one parent.
    hasMerges: own.some(({ length }) => length > 2),
    isBehind: own.length < lines.length,
  };
  return ok(memory.range);
}
