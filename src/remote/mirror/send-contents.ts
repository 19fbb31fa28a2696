import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { heldContent } from "../../git/lfs/held-content.ts";
import { LFS_SESSION_BYTES_MAX } from "../../git/lfs/lfs-limits.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { sendInParts, type SentPart } from "./send-in-parts.ts";
import type { Send } from "./sent-file.ts";

/** What a follower gets of the content under Git LFS. */
export interface SentContents {
  readonly repository: string;
  /** Words of `git rev-list` that select the commits whose pointers count; none if there are no commits. */
  readonly revisions: readonly string[];
  /** What the follower has, by its digests; what is sent is added. Undefined: it takes none. */
  readonly contents: Set<string> | undefined;
  readonly send: Send;
}

/** Sends the content that the pointers of some commits name, as far as the repository here has it. */
export async function sendContents(
  world: Pick<World, "host" | "env">,
  { repository, revisions, contents, send }: SentContents,
): Promise<Result<void, GitFailure | FileFailure>> {
  if (contents === undefined || revisions.length === 0) return ok(undefined);
  const held = await heldContent(gitContext(world), repository, revisions);
  if (!held.ok) return held;
  for (const { sha256, sizeBytes, path } of held.value) {
    if (contents.has(sha256) || sizeBytes > LFS_SESSION_BYTES_MAX) continue;
    const headerOf = (part: SentPart) => ({ kind: "content", sha256, sizeBytes, ...part }) as const;
    const sent = await sendInParts(world.host.files, { path, sizeBytes, headerOf }, send);
    if (!sent.ok) return sent;
    contents.add(sha256);
  }
  return ok(undefined);
}
