import { GitFailure } from "../../../src/base/ports/repo.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findUnusual } from "../../../src/evidence/unusual/find-unusual.ts";
import { unusualByKind, unusualLines } from "../../../src/evidence/unusual/unusual-lines.ts";
import { COMMIT_SKEW_MS_MAX } from "../../../src/base/limits.ts";
import type {
  BroughtIn,
  CommitSignature,
  SignedCommit,
} from "../../../src/base/ports/brought-in.ts";
import { fail, ok } from "../../../src/base/result.ts";
import { sha } from "../../rig/records.ts";
import { NOTHING_BROUGHT } from "../../agents/fake-clone.ts";

const START_MS = Date.UTC(2026, 10, 20);
const NOW_MS = START_MS + 3 * 60 * 60_000;
const EXPECTED = { identity: { email: "ada@example.org" }, nowMs: NOW_MS };
const ADA = { name: "Ada", email: "ada@example.org", atMs: NOW_MS };

function made(
  n: number,
  author: Partial<CommitSignature> = {},
  committer: Partial<CommitSignature> = {},
): SignedCommit {
  return { sha: sha(n), author: { ...ADA, ...author }, committer: { ...ADA, ...committer } };
}

function find(brought: Partial<BroughtIn>) {
  return findUnusual(ok({ ...NOTHING_BROUGHT, startMs: START_MS, ...brought }), EXPECTED);
}

test("the person's own commits are not unusual, even if an engine adds to the name", () => {
  const commits = [made(1), made(2, { name: "Ada (aider)" }, { email: "Ada@Example.org" })];
  expect(find({ commits })).toEqual([]);
  expect(find({})).toEqual([]);
});

test("another author or committer is named once, with all their commits", () => {
  const eve = { name: "Eve", email: "eve@example.org" };
  const commits = [made(1, eve, eve), made(2), made(3, {}, eve), made(4, { email: "" })];
  expect(find({ commits })).toEqual([
    { kind: "person", ...eve, commits: [sha(1), sha(3)] },
    { kind: "person", name: "Ada", email: "", commits: [sha(4)] },
  ]);
});

test("a commit's date is odd if either of its dates is further off than clocks and time zones explain", () => {
  const commits = [
    made(1, { atMs: START_MS - COMMIT_SKEW_MS_MAX }),
    made(2, { atMs: START_MS - COMMIT_SKEW_MS_MAX - 1_000 }),
    made(3, {}, { atMs: 0 }),
    made(4, {}, { atMs: NOW_MS + COMMIT_SKEW_MS_MAX }),
    made(5, { atMs: NOW_MS + COMMIT_SKEW_MS_MAX + 1_000 }),
  ];
  expect(find({ commits })).toEqual([
    { kind: "date", when: "before", commits: [sha(2), sha(3)] },
    { kind: "date", when: "ahead", commits: [sha(5)] },
  ]);
});

test("each kind has its own text, and so has a failure of git", () => {
  const lines = unusualLines(
    find({
      links: [
        { path: "a/l", target: "/etc", end: "absolute", commit: sha(1) },
        { path: "m", target: "..", end: "outside", commit: undefined },
      ],
      submodules: [{ path: "vendor/lib", commit: sha(2) }],
      blobs: [{ path: "x.bin", bytes: 7.25 * 1024 * 1024, commit: sha(3) }],
      commits: [made(4, { name: "Eve", email: "eve@example.org", atMs: 0 })],
    }),
  );
  const short = (n: number) => sha(n).slice(0, 7);
  expect(lines).toEqual([
    `a/l -> /etc (link to an absolute path): ${short(1)}`,
    "m -> .. (link that leaves the repository)",
    `vendor/lib (submodule: what it holds is not in these commits): ${short(2)}`,
    `x.bin (7.3 MiB, which stay in the history): ${short(3)}`,
    `Eve <eve@example.org> (author or committer who is not you): ${short(4)}`,
    `commits dated more than a day before what they build on: ${short(4)}`,
  ]);
  const failure = GitFailure({ operation: "log", directory: "/x", message: "no\nway" });
  expect(unusualLines(findUnusual(fail(failure), EXPECTED))).toEqual([
    "what the commits bring could not be read: no way",
  ]);
});

test("items of a kind, and commits, are counted beyond the limits", () => {
  const blobs = Array.from({ length: 10_000 }, (_, n) => {
    return { path: `${String(n)}.bin`, bytes: 1e9, commit: sha(1) };
  });
  const commits = Array.from({ length: 10_000 }, () => made(1, { email: "eve@example.org" }));
  const found = find({
    blobs,
    commits: commits.map((one, n) => ({ ...one, sha: sha(n + 1) })),
  });
  const lines = unusualLines(found);
  expect(lines).toHaveLength(12);
  expect(lines[10]).toBe("and 9990 more large files");
  expect(lines[11]).toMatch(/: (?:[0-9a-f]{7}, ){4}[0-9a-f]{7} and 9995 more$/);
  expect(unusualByKind(found, undefined, 2).map(({ length }) => length)).toEqual([3, 1]);
});

test("no text from git adds a line break", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (words) => {
      const lines = unusualLines(
        find({
          links: [{ path: words, target: words, end: "git", commit: sha(1) }],
          blobs: [{ path: `\u001B]0;${words}\u0007\n`, bytes: 1e9, commit: sha(1) }],
          commits: [made(1, { name: words, email: `${words}\u202E` })],
        }),
      );
      expect(lines).toHaveLength(3);
      for (const line of lines) {
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
        expect(line.length).toBeLessThan(300);
      }
    }),
  );
});
