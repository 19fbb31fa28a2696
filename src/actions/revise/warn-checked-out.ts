import { askCheckedOut } from "../../git/repository/branches.ts";
import { userEnvironment } from "../../git/command/git-environment.ts";
import { gitIn } from "../../git/command/git.ts";
import type { World } from "../../workspace/world.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { shellWord } from "../../base/words/shell-word.ts";

/**
 * Warns, before anything costs money, that nothing can be published to a branch while it is checked
 * out.
 */
export async function warnCheckedOut(
  { env, tell }: Pick<World, "env" | "tell">,
  { session: { repository, branch } }: FoundSession,
): Promise<void> {
  const where = await askCheckedOut(gitIn(repository, userEnvironment(env, repository)), branch);
  if (where === undefined) return;
  tell(
    `Branch ${shellWord(branch)} is checked out in ${shellWord(where)}: nothing can be published until you switch to another branch there.`,
  );
}
