import { isAbsolute, relative } from "node:path";
import { userEnvironment } from "../../git/command/git-environment.ts";
import { gitIn } from "../../git/command/git.ts";
import { countUncommitted } from "../../git/repository/repository.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { count } from "../../base/words/sentence.ts";
import { STANDARD_INPUT } from "./read-request.ts";
import type { SessionDraft } from "./session-draft.ts";

/** Warns about changes in the work tree that the session will not see: it begins at HEAD. */
export async function warnUncommitted(
  world: World,
  { repository, request }: SessionDraft,
): Promise<void> {
  const { directory, head } = repository;
  const dirty = await countUncommitted(gitContext(world), directory);
  if (dirty.ok && dirty.value.changed > 0) {
    const changed = count(dirty.value.changed, "file");
    world.tell(
      `wisp: ${changed} changed but not committed: the session starts from ${head.slice(0, 10)}, without those changes`,
    );
  }
  if (request.path === STANDARD_INPUT) return;
  const path = relative(directory, request.path);
  if (path.startsWith("..") || isAbsolute(path)) return;
  const git = gitIn(directory, userEnvironment(world.env, directory));
  const state = await git.run([
    "--literal-pathspecs",
    "status",
    "--porcelain=v1",
    "-z",
    "--",
    path,
  ]);
  if (state.ok && state.value.stdout !== "") {
    world.tell("wisp: the request is not committed; the session keeps its own copy of it");
  }
}
