import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { FRAME_BYTES_MAX } from "../../base/limits.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import type { Oid } from "../../base/oid.ts";
import { ok, type Result } from "../../base/result.ts";
import { linesOf } from "../../git/command/raw-output.ts";
import { userGit } from "../../git/command/git.ts";
import { openHub } from "../../git/repository/hub.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { encodeFrame } from "./frame.ts";
import type { Send } from "./sent-file.ts";

/** Up to where a follower has the commits of a session. */
export interface SentCommits {
  readonly head: Oid | undefined;
  /** The refs of saved work, as git lists them; undefined: not known yet. */
  readonly rescues: string | undefined;
}

/**
 * Sends the commits of a session, and its saved work, that a follower does not have; returns what it has then.
 *
 * @param isFull also look for saved work though the branch is where it was, which takes a process of git
 */
export async function bundleSince(
  world: World,
  { session }: FoundSession,
  {
    sent,
    isFull,
    send,
  }: { readonly sent: SentCommits; readonly isFull: boolean; readonly send: Send },
): Promise<Result<SentCommits, GitFailure | FileFailure>> {
  const { branch, id, repository, state } = session;
  const found = await openHub(gitContext(world), repository).head(branch);
  // An abandoned session has no branch any more, but its commits are saved work.
  const head = found ?? sent.head;
  if (head === undefined || (head === sent.head && !isFull)) return ok(sent);
  const git = userGit(gitContext(world), repository);
  const prefix = `refs/wisp/rescue/${id}/`;
  const listed = await git.must(["for-each-ref", "--format=%(objectname) %(refname)", prefix]);
  if (!listed.ok) return listed;
  const rescues = listed.value;
  const now = { head, rescues };
  if (head === sent.head && rescues === (sent.rescues ?? "")) return ok(now);
  const known = await knownOf(git, [sent.head, ...oidsOf(sent.rescues ?? "")]);
  const refs = [...(found === undefined ? [] : [`refs/heads/${branch}`]), ...refsOf(rescues)];
  const path = join(state, `${randomUUID()}.bundle`);
  try {
    const made = await git.run(["bundle", "create", "--quiet", path, ...refs, ...known]);
    if (!made.ok) return made;
    // A branch that was set back adds no commit, and git refuses to make an empty bundle.
    const isMade = made.value.exitCode === 0;
    const handed = isMade ? await sendFile(world, { path, head }, send) : ok(undefined);
    return handed.ok ? ok(now) : handed;
  } finally {
    world.host.files.remove(path);
  }
}

/** Those that are still here, as words that leave out everything that leads to them. */
async function knownOf(
  git: ReturnType<typeof userGit>,
  oids: readonly (Oid | undefined)[],
): Promise<readonly string[]> {
  const known: string[] = [];
  for (const oid of oids) {
    if (oid === undefined) continue;
    const found = await git.ask(["cat-file", "-e", `${oid}^{commit}`]);
    if (found !== undefined) known.push(`^${oid}`);
  }
  return known;
}

function oidsOf(rescues: string): readonly Oid[] {
  return linesOf(rescues).flatMap((line) => line.split(" ")[0] ?? []);
}

function refsOf(rescues: string): readonly string[] {
  return linesOf(rescues).flatMap((line) => line.split(" ")[1] ?? []);
}

async function sendFile(
  { host: { files } }: Pick<World, "host">,
  { path, head }: { readonly path: string; readonly head: Oid },
  send: Send,
): Promise<Result<void, FileFailure>> {
  const size = files.stat(path)?.sizeBytes ?? 0;
  for (let at = 0; at < size;) {
    const read = files.readChunk(path, at, FRAME_BYTES_MAX);
    if (!read.ok) return read;
    const bytes = read.value;
    const isLast = at + bytes.length >= size;
    await send(
      encodeFrame({ kind: "bundle", head, isFirst: at === 0, isLast, bytes: bytes.length }, bytes),
    );
    at += bytes.length;
  }
  return ok(undefined);
}
