import { basename, dirname, join, resolve } from "node:path";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { detachedTree } from "../../git/repository/detached-tree.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { reviewView, type PrintedReview } from "../../views/review/review-view.ts";
import { branchRewritten } from "../../workspace/branch-rewritten.ts";
import type { FinishedWork } from "../../workspace/finished/finished-work.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import { gitContext } from "../../workspace/world.ts";

/**
 * Gives a person a work tree with the work to try it. Its HEAD is detached: a branch that is checked out could not be
 * published to.
 */
export async function checkOutWork(
  cli: Cli,
  work: FinishedWork,
  { into, json }: { readonly into?: string | undefined; readonly json: boolean },
): Promise<Outcome> {
  const { found, head, state } = work;
  const { id, repository } = found.session;
  if (head === undefined) throw new CannotGoOn(await branchRewritten(cli, found, state));
  const beside = `${basename(repository)}-${id.replaceAll("/", "-")}`;
  const directory = into === undefined ? join(dirname(repository), beside) : resolve(cli.cwd, into);
  const isNew = need(await detachedTree(gitContext(cli), { repository, head, directory }));
  const remove = `git -C ${shellWord(repository)} worktree remove ${shellWord(directory)}`;
  if (json) {
    const view = await reviewView(cli, work);
    const printed: PrintedReview = { ...view, checkout: { directory, head, isNew } };
    cli.terminal.out(JSON.stringify(printed, undefined, 2));
    return ok(EXIT.ok);
  }
  cli.terminal.out(
    [
      `${id} at ${shortSha(head)} is in ${directory}. Its HEAD is detached, so that nothing there holds up the branch.`,
      "What you run there runs what the agents wrote, outside of their sandbox.",
      `  try it  cd ${shellWord(directory)}`,
      `  remove  ${remove}`,
    ].join("\n"),
  );
  return ok(EXIT.ok);
}
