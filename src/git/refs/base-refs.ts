import { BASE_REFS_MAX } from "./refs-limits.ts";
import { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { locateGitDirectory } from "../command/git-directory.ts";
import type { GitContext } from "../command/git-environment.ts";
import { type Git, userGit } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import { linesOf } from "../command/raw-output.ts";
import { readHead } from "../command/read-ref.ts";
import type { PackedRef } from "./packed-refs.ts";

/** Of which references a copy is wanted. */
export interface BaseOf {
  /** The top of the user's work tree. */
  readonly directory: string;
  readonly base: Oid;
  /** The session's own branch, if there is one. */
  readonly branch?: string | undefined;
}

/** The references that clones and verify trees get besides the session's branch. */
export interface BaseRefs {
  readonly refs: readonly PackedRef[];
  /** Why there are no tags although the user's repository has some; one line. */
  readonly problem?: string | undefined;
}

/**
 * Reads the references of the user's repository that commands compare with or count from: the tags that the base leads
 * to, the branch that is checked out, its upstream and namesakes at remotes, and the remotes' own branches. A branch that is
 * not part of the base's history is given where that history left it, so that no other commit is needed.
 */
export async function findBaseRefs(
  context: GitContext,
  of: BaseOf,
): Promise<Result<BaseRefs, GitFailure>> {
  assertOids(of.base);
  const git = userGit(context, of.directory);
  const [tags, branches] = await Promise.all([findTags(git, of.base), findBranches(context, of)]);
  if (!branches.ok) return branches;
  return ok({ refs: [...tags.refs, ...branches.value], problem: tags.problem });
}

/** A tag of a tag is left out: its second object would be needed, too. */
async function findTags(git: Git, base: Oid): Promise<BaseRefs> {
  const format = "--format=%(refname) %(objectname) %(type) %(*objectname)";
  const words = ["for-each-ref", format, `--merged=${base}`, "refs/tags"];
  const listed = await git.must(words, { encoding: "latin1" });
  if (!listed.ok) return { refs: [], problem: listed.failure.message };
  const lines = linesOf(listed.value);
  if (lines.length > BASE_REFS_MAX) {
    return { refs: [], problem: `there are more than ${String(BASE_REFS_MAX)} of them` };
  }
  const refs = lines.flatMap((line): readonly PackedRef[] => {
    const [name = "", oid = "", kind = "", commit = ""] = line.split(" ");
    if (kind === "") return [{ name, oid: Oid.parse(oid) }];
    return kind === "commit" ? [{ name, oid: Oid.parse(oid), commit: Oid.parse(commit) }] : [];
  });
  return { refs };
}

interface FoundBranch {
  readonly name: string;
  readonly oid: string;
  readonly upstream: string;
  readonly target: string;
}

async function findBranches(
  context: GitContext,
  { directory, base, branch }: BaseOf,
): Promise<Result<readonly PackedRef[], GitFailure>> {
  const git = userGit(context, directory);
  const located = locateGitDirectory(context.files, directory);
  const head = located && readHead(context.files, located);
  const session = `refs/heads/${branch ?? ""}`;
  const isOnBranch = head !== undefined && "ref" in head && head.ref !== session;
  const own = isOnBranch ? [head.ref, `refs/remotes/*/${head.ref.slice(HEADS.length)}`] : [];
  const first = await listBranches(git, [...own, "refs/remotes/*/HEAD"]);
  if (!first.ok) return first;
  const named = first.value.flatMap(({ upstream, target }) => [upstream, ...namesakes(target)]);
  const known = new Set(["", session, ...first.value.map(({ name }) => name)]);
  const further = [...new Set(named)].filter((name) => !known.has(name));
  const second = further.length === 0 ? ok([]) : await listBranches(git, further);
  if (!second.ok) return second;
  const placed = [...first.value, ...second.value].map(async ({ name, oid }) => {
    const at = oid === base ? base : await git.ask(["merge-base", base, oid]);
    const parsed = Oid.safeParse(at?.trim());
    return parsed.success ? [{ name, oid: parsed.data }] : [];
  });
  return ok((await Promise.all(placed)).flat());
}

const HEADS = "refs/heads/";

/** The branch that is a remote's own, and the local one of the same name. */
function namesakes(target: string): readonly string[] {
  const short = /^refs\/remotes\/[^/]+\/(.+)$/u.exec(target)?.[1];
  return short === undefined ? [] : [target, `${HEADS}${short}`];
}

async function listBranches(
  git: Git,
  patterns: readonly string[],
): Promise<Result<readonly FoundBranch[], GitFailure>> {
  const format = "--format=%(refname) %(objectname) %(upstream) %(symref)";
  const listed = await git.must(["for-each-ref", format, ...patterns], { encoding: "latin1" });
  if (!listed.ok) return listed;
  return ok(
    linesOf(listed.value).map((line) => {
      const [name = "", oid = "", upstream = "", target = ""] = line.split(" ");
      return { name, oid, upstream, target };
    }),
  );
}
