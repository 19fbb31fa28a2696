import type { Directories } from "../../base/ports/directories.ts";
import type { Clone, GitFailure, TreeRepo } from "../../base/ports/repo.ts";
import type { Result } from "../../base/result.ts";
import type { RoleContext } from "../work/role-context.ts";

/** What the trees of a role stand on. */
export interface TreeDeps extends Pick<
  RoleContext,
  "role" | "home" | "session" | "env" | "signal" | "sandbox"
> {
  readonly ports: RoleContext["ports"] & { readonly directories: Directories };
  /** The role's clone: it has the commits that are not published yet. */
  readonly clone: () => Promise<Clone>;
  /** Opens the work tree in a directory, or makes it. */
  readonly open: (directory: string) => Promise<Result<TreeRepo, GitFailure>>;
}

/** Whether a sandbox lays homes and caches in their places, and can make a path read-only. */
export function hasMounts({ sandbox }: Pick<TreeDeps, "sandbox">): boolean {
  return sandbox?.kind === "bubblewrap";
}
