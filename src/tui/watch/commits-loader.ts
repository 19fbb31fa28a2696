import { need } from "../../base/fatal.ts";
import { DIFF_SHOWN_BYTES_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import { commitDiff, rangeCommits } from "../../git/repository/diffs.ts";
import { explainedCommit } from "../../git/repository/explained-commit.ts";
import { commitPage, commitsPage, commitStandings } from "../../views/screen/commits-page.ts";
import type { PageFacts } from "../../views/screen/page-facts.ts";
import { gitContext } from "../../workspace/world.ts";
import type { PageGround, PageLoader } from "./page-loader.ts";

/** The list of commits, and each of them with its diff. */
export const commitsLoader: PageLoader = {
  basis(page, { state }) {
    const standing = commitStandings(state);
    const { branch } = state;
    if ("id" in page) return JSON.stringify(standing(page.id));
    const reviews = branch.commits.map((sha) => Object.values(standing(sha)).join(" "));
    return [branch.head, ...reviews].join("\n");
  },
  load: (page, ground) => ("id" in page ? loadCommit(page.id, ground) : loadCommits(ground)),
};

async function loadCommits({ world, found, state }: PageGround): Promise<PageFacts> {
  const { base, head } = state.branch;
  if (head === undefined) return commitsPage([], state);
  const directory = found.session.repository;
  const commits = need(await rangeCommits(gitContext(world), { directory, base, head }));
  return commitsPage(commits, state);
}

async function loadCommit(sha: Oid, { world, found, state }: PageGround): Promise<PageFacts> {
  const { repository } = found.session;
  const context = gitContext(world);
  const git = await explainedCommit(context, repository, sha);
  const standing = commitStandings(state)(sha);
  if (git === undefined) return commitPage({ sha, git, ...standing, diff: "", isWhole: true });
  const printed = need(await commitDiff(context, repository, sha, DIFF_SHOWN_BYTES_MAX));
  return commitPage({ sha, git, ...standing, ...printed });
}
