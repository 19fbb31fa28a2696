import { COMMIT_SKEW_MS_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import type {
  BroughtIn,
  BroughtPath,
  CommitSignature,
  LinkEnd,
} from "../../base/ports/brought-in.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import type { Result } from "../../base/result.ts";

/**
 * Something in commits that a person should check, although it is no fault by itself. Its texts are not
 * cleaned.
 */
export type Unusual =
  | (UnusualPath & { readonly kind: "link"; readonly target: string; readonly end: LinkEnd })
  | (UnusualPath & { readonly kind: "submodule" })
  | (UnusualPath & { readonly kind: "large file"; readonly bytes: number })
  /** Commits with another author or committer. */
  | (UnusualCommits & { readonly kind: "person"; readonly name: string; readonly email: string })
  /** Commits dated before the range's start, or in the future. */
  | (UnusualCommits & { readonly kind: "date"; readonly when: "before" | "ahead" })
  /** A secret, by its place and form; see `FoundSecret`. */
  | (UnusualPath & {
      readonly kind: "secret";
      readonly line: number | undefined;
      readonly form: string;
      readonly isGone: boolean;
    })
  /** Lines with characters that change the order in which text is shown; the first of them and how many. */
  | (UnusualPath & { readonly kind: "hidden order"; readonly line: number; readonly count: number })
  /** Names that a manifest did not declare before; none if it cannot be read. */
  | (UnusualPath & { readonly kind: "dependency"; readonly names: readonly string[] })
  /** Lines that switch off lint or types. */
  | (UnusualPath & {
      readonly kind: "switched off";
      readonly count: number;
      readonly words: readonly string[];
    })
  /** Settings of lint or types that were changed or deleted. */
  | (UnusualPath & { readonly kind: "check settings" })
  /** A document or licence that was deleted, although nobody asked for it. */
  | (UnusualPath & { readonly kind: "lost document" })
  /** A file that a changed one names and git ignores, so that only a clone of the session has it. */
  | (UnusualPath & { readonly kind: "left behind"; readonly by: string })
  /** A line of commit messages in which somebody vouches for the work. */
  | (UnusualCommits & { readonly kind: "trailer"; readonly trailer: string; readonly who: string })
  /** The content of the commits is too long to be looked at whole. */
  | (UnusualCommits & { readonly kind: "not whole" })
  /** Git failed, so the content of the commits is unknown. */
  | (UnusualCommits & { readonly kind: "unread"; readonly why: string });

interface UnusualCommits {
  /** Oldest first. */
  readonly commits: readonly Oid[];
}

interface UnusualPath extends UnusualCommits {
  readonly path: string;
}

/** The expected author, and the current time. */
export interface Expected {
  readonly identity: Pick<CommitSignature, "email">;
  readonly nowMs: number;
}

/**
 * Finds what is unusual in a range of commits. People are identified by their e-mail address, because engines
 * often add themselves to the name. Pure and total.
 */
export function findUnusual(
  read: Result<BroughtIn, GitFailure>,
  expected: Expected,
): readonly Unusual[] {
  if (!read.ok) return [{ kind: "unread", why: read.failure.message, commits: [] }];
  const { links, submodules, blobs } = read.value;
  return [
    ...links.map((link) => ({ ...placed(link), kind: "link" as const, ...endOf(link) })),
    ...submodules.map((one) => ({ ...placed(one), kind: "submodule" as const })),
    ...blobs.map((blob) => ({
      ...placed(blob),
      kind: "large file" as const,
      bytes: blob.bytes,
    })),
    ...strangers(read.value, expected),
    ...oddDates(read.value, expected),
  ];
}

function placed({ path, commit }: BroughtPath): UnusualPath {
  return { path, commits: commit === undefined ? [] : [commit] };
}

function endOf({ target, end }: BroughtIn["links"][number]) {
  return { target, end };
}

function strangers({ commits }: BroughtIn, { identity }: Expected): readonly Unusual[] {
  const own = addressOf(identity);
  const found = new Map<string, { readonly who: CommitSignature; readonly commits: Set<Oid> }>();
  for (const { sha, author, committer } of commits) {
    for (const who of [author, committer].filter((one) => addressOf(one) !== own)) {
      const one = found.get(addressOf(who)) ?? { who, commits: new Set() };
      found.set(addressOf(who), one);
      one.commits.add(sha);
    }
  }
  return [...found.values()].map(({ who: { name, email }, commits: shas }) => ({
    kind: "person",
    ...{ name, email },
    commits: [...shas],
  }));
}

function addressOf({ email }: Pick<CommitSignature, "email">): string {
  return email.trim().toLowerCase();
}

function oddDates({ commits, startMs }: BroughtIn, { nowMs }: Expected): readonly Unusual[] {
  const dated = (isOdd: (atMs: number) => boolean) =>
    commits.filter(({ author, committer }) => isOdd(author.atMs) || isOdd(committer.atMs));
  const odd = [
    ["before", dated((atMs) => atMs < startMs - COMMIT_SKEW_MS_MAX)],
    ["ahead", dated((atMs) => atMs > nowMs + COMMIT_SKEW_MS_MAX)],
  ] as const;
  return odd.flatMap(([when, some]) =>
    some.length === 0 ? [] : [{ kind: "date", when, commits: some.map(({ sha }) => sha) }],
  );
}
