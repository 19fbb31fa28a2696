import { join } from "node:path";
import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import type { Oid } from "../../base/oid.ts";

/** What became of a person's commits at the place of a session, as `wisp far take-commits` prints it. */
export const CommitsTaken = lateObject(() => ({
  version: z.literal(1),
  /** `diverged`: the branch there has commits that these do not follow. */
  became: z.enum(["taken", "diverged", "failed"]),
  /** Why, if it failed. */
  detail: z.string().optional(),
}));
export type CommitsTaken = z.infer<typeof CommitsTaken>;

/**
 * Where a bundle of commits is put below the root of a place. Its name is the commit to which they lead: sent twice, it
 * is the same file.
 */
export function sentCommitsPath(root: string, at: Oid): string {
  return join(root, "given", `commits-${at}.bundle`);
}

/** Where the content under Git LFS is put that these commits need; nothing is there if they need none. */
export function sentContentsPath(root: string, at: Oid): string {
  return join(root, "given", `commits-${at}.contents`);
}
