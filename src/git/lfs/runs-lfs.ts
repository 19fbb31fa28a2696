import { type UserContext, userGit } from "../command/git.ts";

const running = new WeakMap<object, Promise<boolean>>();

/**
 * Whether git-lfs runs in the user's repository: without it, git would take the content of a file for a change of its
 * pointer. Asked once.
 */
export function runsLfs(
  context: UserContext,
  hub: { readonly directory: string },
): Promise<boolean> {
  const known = running.get(hub);
  if (known !== undefined) return known;
  const asked = userGit(context, hub.directory)
    .ask(["lfs", "version"])
    .then((printed) => printed !== undefined);
  running.set(hub, asked);
  return asked;
}
