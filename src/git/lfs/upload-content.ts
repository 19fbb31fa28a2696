import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { remoteEnvironment, type GitContext } from "../command/git-environment.ts";
import { gitFailure } from "../command/git-failure.ts";
import { type Git, userGit } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import { runSimpleGit } from "../command/simple-git.ts";
import type { RemotePush } from "../remote/push-remote.ts";
import { contentStore, hasContent } from "./content-store.ts";
import { inHistory } from "./known-pointers.ts";
import { type FoundPointer, listPointers } from "./new-pointers.ts";
import { fewPaths, pointerPaths } from "./pointer-paths.ts";

/** The limit of one upload as a whole, however much it sends. */
const UPLOAD_MS_MAX = 2 * 60 * 60_000;
/** Names fit into one command line. */
const NAMES_AT_ONCE_MAX = 1_000;

/** Content under Git LFS would be missing at the remote; `message` says which, or why. */
export interface NotUploaded {
  readonly kind: "content";
  readonly message: string;
}

/** A push of what a session made. */
export interface ContentPush extends RemotePush {
  /** The commit at which the session began: what came before is as the person left it. */
  readonly since: Oid;
}

type Context = Pick<GitContext, "environment" | "files">;

/**
 * Uploads the content of a session's new files under Git LFS to a remote, with the person's own git-lfs and settings:
 * what its pre-push hook would do in a push of theirs. Starts one process if there are none.
 */
export async function uploadContent(
  context: Context,
  push: ContentPush,
): Promise<Result<void, NotUploaded | GitFailure>> {
  const { directory, remote, at, since } = push;
  assertOids(at, since);
  const git = userGit(context, directory);
  // A remote that is an address has no references here.
  const theirs = /^[\w.-]+$/u.test(remote) ? [`--remotes=${remote}`] : [];
  const pointers = await listPointers(git, [at, "--not", since, ...theirs]);
  if (!pointers.ok) return pointers;
  if (pointers.value.length === 0) return ok(undefined);
  const store = await contentStore(context, directory);
  if (!store.ok) return store;
  const isHere = (pointer: FoundPointer) => hasContent(context, store.value, pointer);
  const missing = pointers.value.filter((pointer) => !isHere(pointer));
  const lost = await namesOfLost(git, push, missing);
  if (!lost.ok) return lost;
  if (lost.value !== undefined) return fail({ kind: "content", message: lost.value });
  const here = pointers.value.filter((pointer) => isHere(pointer) && pointer.sizeBytes > 0);
  return sendAll(context, push, [...new Set(here.map(({ sha256 }) => sha256))]);
}

/**
 * What of it is lost; undefined if nothing is. Pointers that others made, and that a merge or a revert brought, are as
 * they were.
 */
async function namesOfLost(
  git: Git,
  { at, since, branch }: ContentPush,
  missing: readonly FoundPointer[],
): Promise<Result<string | undefined, GitFailure>> {
  if (missing.length === 0) return ok(undefined);
  const ours = [`refs/heads/${branch}`, "refs/wisp/rescue/*", "refs/wisp/mirror/*"];
  const known = await inHistory(git, missing, ours);
  if (!known.ok) return known;
  const lost = missing.filter(({ blob }) => !known.value.includes(blob));
  if (lost.length === 0) return ok(undefined);
  const paths = await pointerPaths(git, { from: since, to: at }, lost);
  if (!paths.ok) return paths;
  return ok(`the content of ${fewPaths(paths.value)} is not in this repository`);
}

async function sendAll(
  context: Context,
  push: RemotePush,
  names: readonly string[],
): Promise<Result<void, NotUploaded>> {
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE_MAX) {
    const sent = await send(context, push, names.slice(at, at + NAMES_AT_ONCE_MAX));
    if (!sent.ok) return sent;
  }
  return ok(undefined);
}

async function send(
  context: Context,
  { directory, remote, silenceMsMax, signal }: RemotePush,
  names: readonly string[],
): Promise<Result<void, NotUploaded>> {
  const within = AbortSignal.timeout(UPLOAD_MS_MAX);
  const environment = {
    ...remoteEnvironment(context.environment, directory),
    // Otherwise it is silent where it is not on a terminal, and would be taken to hang.
    GIT_LFS_FORCE_PROGRESS: "1",
  };
  const sent = await runSimpleGit({
    directory,
    environment,
    args: ["lfs", "push", "--object-id", "--", remote, ...names],
    silenceMsMax,
    signal: signal === undefined ? within : AbortSignal.any([signal, within]),
  });
  if (sent.ok && sent.value.exitCode === 0) return ok(undefined);
  const { message } = sent.ok
    ? gitFailure("lfs push", directory, withoutProgress(sent.value.stderr))
    : sent.failure;
  return fail({ kind: "content", message: withoutProgress(message) });
}

/** What git-lfs says, without the lines that it writes over again and again. */
function withoutProgress(text: string): string {
  const lines = text.split(/[\r\n]+/u).filter((line) => !/^Uploading LFS objects:/u.test(line));
  return lines.join("\n").trim();
}
