import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { remoteEnvironment } from "../command/git-environment.ts";
import { gitFailure } from "../command/git-failure.ts";
import { assertOids } from "../command/object-ids.ts";
import { runSimpleGit } from "../command/simple-git.ts";
import type { UserContext } from "../command/git.ts";

/** One attempt to push a commit to one of the user's remotes. */
export interface RemotePush {
  /** The user's repository, which provides the remotes and credentials. */
  readonly directory: string;
  /** The name of a remote, or its URL. */
  readonly remote: string;
  readonly branch: string;
  readonly at: Oid;
  /** How long the remote may stay silent before the attempt ends. */
  readonly silenceMsMax: number;
  /** Ends the attempt at once. */
  readonly signal?: AbortSignal | undefined;
}

export type RemotePushFailure =
  /** The remote's branch has commits that ours lacks. */
  | { readonly kind: "rejected" }
  /** No connection, no access, or no such remote; `message` has git's explanation. */
  | { readonly kind: "unreachable"; readonly message: string }
  /** Nothing was pushed: content under Git LFS would be missing at the remote; `message` says which, or why. */
  | { readonly kind: "content"; readonly message: string }
  | GitFailure;

/** Pushes once, without force and without the user's hooks. */
export async function pushRemote(
  context: UserContext,
  push: RemotePush,
): Promise<Result<void, RemotePushFailure>> {
  const { directory, remote, branch, at, silenceMsMax, signal } = push;
  assertOids(at);
  const args = [
    "push",
    "--porcelain",
    "--no-verify",
    "--no-follow-tags",
    "--no-signed",
    "--recurse-submodules=no",
    "--end-of-options",
    remote,
    `${at}:refs/heads/${branch}`,
  ];
  const environment = remoteEnvironment(context.environment, directory);
  const pushed = await runSimpleGit({ directory, environment, args, silenceMsMax, signal });
  if (!pushed.ok) return unreachable(pushed.failure);
  const { exitCode, stdout, stderr } = pushed.value;
  if (exitCode === 0) return ok(undefined);
  // With --porcelain, a refusal is a line of the output. "[remote rejected]" is a rule of the remote, which no
  // rebase can satisfy.
  if (/^!\t.*\t\[rejected\]/mu.test(stdout)) return fail({ kind: "rejected" });
  const failure = gitFailure("push", directory, `${stderr}\n${refusals(stdout)}`);
  return /^!\t/mu.test(stdout) ? fail(failure) : unreachable(failure);
}

function unreachable(failure: GitFailure): Result<never, RemotePushFailure> {
  return fail({ kind: "unreachable", message: failure.message });
}

function refusals(stdout: string): string {
  const lines = stdout.split("\n").filter((line) => line.startsWith("!\t"));
  return cleanText(lines.join("\n"), { charsMax: 300, lines: "many" });
}
