import type { WorldFailure } from "../../base/fatal.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { fileAsGitFailure } from "../../git/command/git-failure.ts";
import { contentPath, contentStore } from "../../git/lfs/content-store.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { eachJoined } from "./joined-files.ts";

/**
 * Puts content under Git LFS that was sent to this place into the store of its repository. Each is hashed; what is not
 * what its name says is left out. Done again, it changes nothing.
 *
 * @param path of the joined files; nothing is done if there is none
 * @param scratch a folder for one of them at a time
 */
export async function takeContents(
  world: Pick<World, "host" | "env">,
  {
    path,
    repository,
    scratch,
  }: { readonly path: string; readonly repository: string; readonly scratch: string },
): Promise<Result<boolean, WorldFailure>> {
  const { host } = world;
  if (host.files.stat(path) === undefined) return ok(true);
  const store = await contentStore(gitContext(world), repository);
  if (!store.ok) return store;
  return eachJoined(host, { path, scratch }, async ({ name, path: from }) => {
    if (!/^[0-9a-f]{64}$/u.test(name)) return ok(undefined);
    const content = { sha256: name, sizeBytes: host.files.stat(from)?.sizeBytes ?? 0 };
    const to = contentPath(store.value, content);
    const copied = await host.directories.copyExactly(from, to, content);
    return copied.ok ? ok(undefined) : fail(fileAsGitFailure("lfs", copied.failure));
  });
}
