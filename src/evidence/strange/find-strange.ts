import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import type { RangePatches } from "../../base/ports/patches.ts";
import type { Result } from "../../base/result.ts";
import type { Unusual } from "../unusual/find-unusual.ts";
import { changedCheckSettings, lostDocuments } from "./changed-paths.ts";
import { newDependencies, type ManifestTexts, type ParseToml } from "./declared-dependencies.ts";
import { forgedTrailers } from "./forged-trailers.ts";
import { findSecrets } from "./secrets.ts";
import { hiddenOrders, switchedOff } from "./strange-lines.ts";

/** What the content of a range is judged by. */
export interface StrangeFacts {
  readonly manifests: readonly ManifestTexts[];
  /** Not read, because there are too many of them or they are too large. */
  readonly skipped: number;
  readonly parseToml: ParseToml;
  /** Files that only clones have, and what names each. */
  readonly leftBehind: readonly { readonly path: string; readonly by: string }[];
  readonly identity: { readonly email: string };
  /** What people asked for, in their words. */
  readonly asked: readonly string[];
}

/**
 * Finds in the content of a range what a person should look at: secrets, text that shows something else than it is,
 * new dependencies, checks that are switched off, lost documents, and words of people who said nothing. Pure and
 * total.
 */
export function findStrange(
  read: Result<RangePatches, GitFailure>,
  { manifests, skipped, parseToml, leftBehind, identity, asked }: StrangeFacts,
): readonly Unusual[] {
  if (!read.ok) return [{ kind: "unread", why: read.failure.message, commits: [] }];
  const { commits, net, entries, isWhole } = read.value;
  const touched = new Map<string, Oid>(
    commits.flatMap(({ sha, files }) => files.map(({ path }): [string, Oid] => [path, sha])),
  );
  /** Of the last commit that touched its path. */
  const placed = <T extends { readonly path: string }>(one: T) => {
    const sha = touched.get(one.path);
    return { ...one, commits: sha === undefined ? [] : [sha] };
  };
  const isCut = !isWhole || skipped > 0;
  return [
    ...findSecrets(commits, net).map((one) => ({ kind: "secret" as const, ...one })),
    ...hiddenOrders(net).map((one) => ({ kind: "hidden order" as const, ...placed(one) })),
    ...newDependencies(manifests, parseToml).map((one) => ({
      ...{ kind: "dependency" as const, ...placed(one) },
    })),
    ...switchedOff(net).map((one) => ({ kind: "switched off" as const, ...placed(one) })),
    ...changedCheckSettings(entries).map((path) => ({
      ...{ kind: "check settings" as const, ...placed({ path }) },
    })),
    ...lostDocuments(entries, asked).map((path) => ({
      ...{ kind: "lost document" as const, ...placed({ path }) },
    })),
    ...leftBehind.map((one) => ({
      ...{ kind: "left behind" as const, ...one, commits: placed({ path: one.by }).commits },
    })),
    ...forgedTrailers(commits, identity).map((one) => ({ kind: "trailer" as const, ...one })),
    ...(isCut ? [{ kind: "not whole" as const, commits: [] }] : []),
  ];
}
