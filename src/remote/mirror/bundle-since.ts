import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import type { Oid } from "../../base/oid.ts";
import { ok, type Result } from "../../base/result.ts";
import { linesOf } from "../../git/command/raw-output.ts";
import { userGit } from "../../git/command/git.ts";
import { openHub } from "../../git/repository/hub.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { encodeFrame, FRAME_REFS_MAX, SentRef } from "./frame.ts";
import { sendContents } from "./send-contents.ts";
import { sendInParts, type SentPart } from "./send-in-parts.ts";
import type { Send } from "./sent-file.ts";

/** Up to where a follower has the commits of a session. */
export interface SentCommits {
  readonly head: Oid | undefined;
  /** The refs of saved work, as git lists them; undefined: not known yet. */
  readonly rescues: string | undefined;
}

/** A look for commits that a follower does not have. */
export interface LookForCommits {
  readonly sent: SentCommits;
  /** Also look for saved work though the branch is where it was, which takes a process of git. */
  readonly isFull: boolean;
  /**
   * The digests of the content under Git LFS that the follower has, to which what is sent is added; undefined: it takes
   * none.
   */
  readonly contents: Set<string> | undefined;
  readonly send: Send;
}

/**
 * Sends the commits of a session, and its saved work, that a follower does not have, and then where the refs are;
 * returns what it has then.
 */
export async function bundleSince(
  world: World,
  { session }: FoundSession,
  { sent, isFull, contents, send }: LookForCommits,
): Promise<Result<SentCommits, GitFailure | FileFailure>> {
  const { base, branch, id, repository, state } = session;
  const found = await openHub(gitContext(world), repository).head(branch);
  // An abandoned session has no branch any more, but its commits are saved work.
  const head = found ?? sent.head;
  const isNew = sent.rescues === undefined;
  if (head === sent.head && !isFull && !isNew) return ok(sent);
  const git = userGit(gitContext(world), repository);
  const prefix = `refs/wisp/rescue/${id}/`;
  const listed = await git.must(["for-each-ref", "--format=%(objectname) %(refname)", prefix]);
  if (!listed.ok) return listed;
  const rescues = listed.value;
  // The refs are told at the beginning of each connection: the last one may have ended before they were.
  if (head === sent.head && rescues === sent.rescues) return ok({ head, rescues });
  const known = await knownOf(git, [sent.head, ...oidsOf(sent.rescues ?? "")]);
  const own = found === undefined ? [] : [{ ref: `refs/heads/${branch}`, oid: found }];
  const refs = [...own, ...refsOf(rescues)];
  const path = join(state, `${randomUUID()}.bundle`);
  try {
    const made = await makeBundle(git, { path, refs, known });
    if (!made.ok) return made;
    // The refs may have moved before the bundle was made.
    const now = refs.map((sentRef) => ({
      ...sentRef,
      oid: made.value?.get(sentRef.ref) ?? sentRef.oid,
    }));
    // Everything once in each connection: a follower of an older version took none.
    const without = [...(isNew ? [] : known), `^${base}`];
    const revisions = now.length === 0 ? [] : [...now.map(({ oid }) => oid), ...without];
    const given = await sendContents(world, { repository, revisions, contents, send });
    if (!given.ok) return given;
    const handed = made.value === undefined ? ok(undefined) : await sendBundle(world, path, send);
    if (!handed.ok) return handed;
    await sendRefs(now, send);
    return ok({ head: found === undefined ? head : now[0]?.oid, rescues });
  } finally {
    world.host.files.remove(path);
  }
}

/** Makes a bundle, and returns where its refs are; undefined if there is no commit to put into it, and none was made. */
async function makeBundle(
  git: ReturnType<typeof userGit>,
  {
    path,
    refs,
    known,
  }: {
    readonly path: string;
    readonly refs: readonly SentRef[];
    readonly known: readonly string[];
  },
): Promise<Result<ReadonlyMap<string, Oid> | undefined, GitFailure>> {
  if (refs.length === 0) return ok(undefined);
  const stdin = [...refs.map(({ oid }) => oid), ...known].map((word) => `${word}\n`).join("");
  // A branch that was set back adds no commit, and git refuses to make an empty bundle.
  const some = await git.must(["rev-list", "--max-count=1", "--stdin"], { stdin });
  if (!some.ok) return some;
  if (some.value === "") return ok(undefined);
  const names = refs.map(({ ref }) => ref);
  const made = await git.act(["bundle", "create", "--quiet", path, ...names, ...known]);
  if (!made.ok) return made;
  const heads = await git.must(["bundle", "list-heads", path]);
  return heads.ok ? ok(new Map(refsOf(heads.value).map(({ ref, oid }) => [ref, oid]))) : heads;
}

/** Those that are still here, as words that leave out everything that leads to them. */
async function knownOf(
  git: ReturnType<typeof userGit>,
  oids: readonly (Oid | undefined)[],
): Promise<readonly string[]> {
  const known: string[] = [];
  for (const oid of new Set(oids)) {
    if (oid === undefined) continue;
    const found = await git.ask(["cat-file", "-e", `${oid}^{commit}`]);
    if (found !== undefined) known.push(`^${oid}`);
  }
  return known;
}

function oidsOf(rescues: string): readonly Oid[] {
  return refsOf(rescues).map(({ oid }) => oid);
}

/** The refs of a list with lines `<oid> <name>`, without those whose names no frame holds. */
function refsOf(listed: string): readonly SentRef[] {
  return linesOf(listed).flatMap((line) => {
    const at = line.indexOf(" ");
    const parsed = SentRef.safeParse({ oid: line.slice(0, at), ref: line.slice(at + 1) });
    return parsed.success ? [parsed.data] : [];
  });
}

async function sendRefs(all: readonly SentRef[], send: Send): Promise<void> {
  const refs = all.filter((ref) => SentRef.safeParse(ref).success);
  for (let at = 0; at < refs.length; at += FRAME_REFS_MAX) {
    await send(encodeFrame({ kind: "refs", refs: refs.slice(at, at + FRAME_REFS_MAX) }));
  }
}

function sendBundle(
  { host: { files } }: Pick<World, "host">,
  path: string,
  send: Send,
): Promise<Result<void, FileFailure>> {
  const sizeBytes = files.stat(path)?.sizeBytes ?? 0;
  const headerOf = (part: SentPart) => ({ kind: "bundle", ...part }) as const;
  return sendInParts(files, { path, sizeBytes, headerOf }, send);
}
