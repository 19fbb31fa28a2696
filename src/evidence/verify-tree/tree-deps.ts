import type { Directories } from "../../base/ports/directories.ts";
import type { Clone, GitFailure, TreeRepo } from "../../base/ports/repo.ts";
import type { Result } from "../../base/result.ts";
import type { RoleContext } from "../../work/role-context.ts";

/** What the verify trees of a role depend on. */
export interface TreeDeps extends Pick<
  RoleContext,
  "role" | "home" | "session" | "env" | "signal" | "sandbox"
> {
  readonly ports: RoleContext["ports"] & { readonly directories: Directories };
  /** The variables that commands see instead of those with which the session began; absent or undefined: none do. */
  readonly replacedEnv?: (() => readonly string[] | undefined) | undefined;
  /** The role's clone, which contains its unpublished commits. */
  readonly clone: () => Promise<Clone>;
  /** The folder of the locks of slots, for all sessions of a person on this machine. Absent: commands get no slot. */
  readonly slots?: string | undefined;
  /** The machine's folder for temporary files, for a neutral tree. Absent: there is no neutral tree. */
  readonly temporary?: string | undefined;
  /** The slot of the tree's present use. Absent: it has none, or is not in use. */
  readonly slot?: number | undefined;
  /** Whether commands go without the session's `CI=true`, since verify is green at the base only so. Absent: no. */
  readonly isCiLeftOut?: (() => Promise<boolean>) | undefined;
  /** Whether commands of the tree's present use get `CI=true`. Absent: as the session says. */
  readonly hasCi?: boolean | undefined;
  /** Opens or creates the work tree in a directory. */
  readonly open: (directory: string) => Promise<Result<TreeRepo, GitFailure>>;
}

/** Whether the sandbox can mount homes and caches in their usual places, and make paths read-only. */
export function hasMounts({ sandbox }: Pick<TreeDeps, "sandbox">): boolean {
  return sandbox?.kind === "bubblewrap" || sandbox?.kind === "container";
}
