import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { type UserContext, userGit } from "../command/git.ts";
import { linesOf } from "../command/raw-output.ts";

/** The names of the remotes of the user's repository. */
export async function remoteNames(
  context: UserContext,
  directory: string,
): Promise<Result<readonly string[], GitFailure>> {
  const git = userGit(context, directory);
  const printed = await git.must(["remote"]);
  return printed.ok ? ok(linesOf(printed.value)) : printed;
}

/** The name of a remote, or its URL without any user name and password. */
export function bareUrl(remote: string): string {
  return remote.replace(/:\/\/[^/@\s]+@/gu, "://");
}

/** The push URL of a remote, as configured; `undefined` if there is no such remote. */
export async function remoteUrl(
  context: UserContext,
  { directory, remote }: { readonly directory: string; readonly remote: string },
): Promise<string | undefined> {
  const git = userGit(context, directory);
  return linesOf((await git.ask(["remote", "get-url", "--push", "--", remote])) ?? "")[0];
}

/**
 * The page for opening a merge or pull request for a branch, if the remote is on GitHub or GitLab. The address
 * contains no user name or password of the URL.
 */
export function newRequestPage(url: string, branch: string): string | undefined {
  const place = placeOf(url);
  if (place === undefined) return undefined;
  const { host, path } = place;
  if (/(?:^|\.)gitlab\./u.test(host)) {
    const query = `merge_request%5Bsource_branch%5D=${encodeURIComponent(branch)}`;
    return `https://${host}/${path}/-/merge_requests/new?${query}`;
  }
  if (!/(?:^|\.)github\./u.test(host)) return undefined;
  return `https://${host}/${path}/pull/new/${branch.split("/").map(encodeURIComponent).join("/")}`;
}

/** The host and path of `https://…`, `ssh://…` or `git@host:path`, without `.git`. */
function placeOf(url: string): { readonly host: string; readonly path: string } | undefined {
  const long = /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([\w.-]+)(?::\d+)?\/(.+)$/u.exec(url);
  const short = /^(?:[\w.-]+@)?([\w.-]+):(?!\/)(.+)$/u.exec(url);
  const [, host, path] = long ?? short ?? [];
  if (host === undefined || path === undefined) return undefined;
  return { host, path: path.replace(/\/$/u, "").replace(/\.git$/u, "") };
}
