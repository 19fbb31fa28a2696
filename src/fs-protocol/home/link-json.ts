import { join } from "node:path";
import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import { Oid } from "../../base/oid.ts";
import { ROLES } from "../../base/role.ts";
import type { Home } from "./home.ts";

/** A process that holds a lease of a home. */
export const FarHolder = z.enum(["supervisor", ...ROLES]);
export type FarHolder = z.infer<typeof FarHolder>;

/** How many files left behind are told of at most. */
export const LEFT_THERE_MAX = 20;
const Path = z.string().max(1_000);

/** Files of clones that no commit has, from the top of the repository, each with a file that names it. */
export const LeftThere = z.array(z.object({ path: Path, by: Path })).max(LEFT_THERE_MAX);
export type LeftThere = z.infer<typeof LeftThere>;

/**
 * `locks/link.json` in the mirror of a home: what its follower last heard from the place where the session runs. Never
 * mirrored, and written only by the follower.
 */
export const LinkJson = lateObject(() => ({
  version: z.literal(1),
  /** When the place was last heard, in ms since 1970 by the clock here. Absent: never. */
  heardMs: z.number().optional(),
  /** When the mirror last had everything of the session, in the same way. */
  wholeMs: z.number().optional(),
  /**
   * The processes that were alive when the place was last heard, by the folder of the home: `.` for the session, and
   * `revision-<n>` for its revisions.
   */
  alive: z.record(z.string(), z.array(FarHolder)),
  /** Since when, by the clock here, no supervisor of the session was alive. Absent: one is, or was when last heard. */
  leftMs: z.number().optional(),
  /** Why the place cannot be reached now. */
  trouble: z.string().optional(),
  /** What the executor said of the place since that was heard last: nothing runs there. Absent: it did not say so. */
  absent: z.enum(["gone", "waiting", "down"]).optional(),
  /**
   * Why the branch here is not where the mirrored one is: it is checked out here, both have commits of their own, or
   * something failed.
   */
  branchWaits: z.enum(["checked-out", "diverged", "failed"]).optional(),
  /** What failed, if that is why. */
  branchTrouble: z.string().optional(),
  /** The commit at which the branch here and the one elsewhere were last the same. */
  branchAt: Oid.optional(),
  /** Ignored files in the clones there that the commits name. Absent: none, or roles are at work. */
  leftBehind: LeftThere.optional(),
}));
export type LinkJson = z.infer<typeof LinkJson>;

/** The path of a mirror's `link.json`. A revision shares that of the session that it revises. */
export function linkPath({ locks }: Pick<Home, "locks">): string {
  return join(locks, "link.json");
}
