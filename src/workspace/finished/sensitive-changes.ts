import type { Oid } from "../../base/oid.ts";
import type { TouchingCommit } from "../../git/repository/touched-paths.ts";
import {
  hasOtherScripts,
  isPackageJson,
  sensitiveKind,
  type SensitiveKind,
} from "./sensitive-paths.ts";

/** A file that has something run outside of a session, or somebody told, and that the work changes. */
export interface SensitiveChange {
  readonly path: string;
  readonly kind: SensitiveKind;
  /** Commits that touch it, the oldest first. */
  readonly commits: readonly Oid[];
}

/** A `package.json` before a commit and after it; undefined: it is not there. */
export interface ManifestChange {
  readonly sha: Oid;
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * The sensitive files that commits touch, by path. Of a `package.json` only commits count that change its
 * scripts; one that nobody looked into may have.
 *
 * @param commits the oldest first
 */
export function sensitiveChanges(
  commits: readonly TouchingCommit[],
  manifests: readonly ManifestChange[],
): readonly SensitiveChange[] {
  const looked = new Map(manifests.map((one) => [`${one.sha} ${one.path}`, one]));
  const touches = commits.flatMap(({ sha, paths }) =>
    [...new Set(paths)].map((path) => ({ sha, path })),
  );
  const found = new Map<string, SensitiveChange>();
  for (const { sha, path } of touches) {
    const kind = kindOf(path, looked.get(`${sha} ${path}`));
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
