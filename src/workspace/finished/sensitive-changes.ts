import type { Oid } from "../../base/oid.ts";
import type { TouchingCommit } from "../../git/repository/touched-paths.ts";
import {
  hasOtherScripts,
  isPackageJson,
  sensitiveKind,
  type SensitiveKind,
} from "./sensitive-paths.ts";

/** A changed file that can run something outside of a session, or instruct an agent. */
export interface SensitiveChange {
  readonly path: string;
  readonly kind: SensitiveKind;
  /** Commits that touch it, oldest first. */
  readonly commits: readonly Oid[];
}

/** A `package.json` before and after a commit; undefined if it does not exist. */
export interface ManifestChange {
  readonly sha: Oid;
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * The sensitive files that commits touch, sorted by path. A `package.json` counts only for commits
 * that change its scripts, or that were not compared.
 *
 * @param commits oldest first
 */
export function sensitiveChanges(
  commits: readonly TouchingCommit[],
  manifests: readonly ManifestChange[],
): readonly SensitiveChange[] {
  const compared = new Map(manifests.map((one) => [`${one.sha} ${one.path}`, one]));
  const touches = commits.flatMap(({ sha, paths }) =>
    [...new Set(paths)].map((path) => ({ sha, path })),
  );
  const found = new Map<string, SensitiveChange>();
  for (const { sha, path } of touches) {
    const kind = kindOf(path, compared.get(`${sha} ${path}`));
    if (kind === undefined) continue;
    found.set(path, { path, kind, commits: [...(found.get(path)?.commits ?? []), sha] });
  }
  return [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

function kindOf(path: string, manifest: ManifestChange | undefined): SensitiveKind | undefined {
  if (!isPackageJson(path)) return sensitiveKind(path);
  const isOther = manifest === undefined || hasOtherScripts(manifest.before, manifest.after);
  return isOther ? "scripts of a package" : sensitiveKind(path);
}
