import { expect, test } from "vitest";
import {
  remoteQuestion,
  type MovedRemote,
} from "../../../src/agents/builder/remote/remote-question.ts";
import { clip } from "../../../src/work/clip.ts";

const MOVED: MovedRemote = {
  remote: "origin",
  branch: "wisp/api",
  tip: "3f9c1e0a7b52d84e6f01c2a9b8d7e6f5a4c3b2d1",
  why: { kind: "conflict", paths: ["parse.ts", "print.ts"] },
};

const BY_HAND = "Merge it yourself: `git switch wisp/api && git pull --no-rebase origin wisp/api`";
const LEAVE =
  'Or answer "leave": work continues, and origin is left alone for the rest of the session.';

test("the question about a conflict has its files, the commands that resolve it, and the possible answers", () => {
  expect(remoteQuestion(MOVED)).toBe(
    "origin, branch wisp/api, has commits that conflict with those here, in parse.ts, print.ts. Nothing was " +
      `changed. ${BY_HAND}, solve the conflicts, commit, \`git switch -\`; then answer "merged". ${LEAVE}`,
  );
});

test("the question about a red merge says what failed", () => {
  const why = { kind: "red", failure: "parse.test.ts failed" } as const;
  expect(remoteQuestion({ ...MOVED, why })).toBe(
    "origin, branch wisp/api, has commits with which verify is red once they are merged here: parse.test.ts " +
      `failed. Nothing was changed. ${BY_HAND}, make verify pass, commit, \`git switch -\`; then answer "merged". ${LEAVE}`,
  );
  const silent = remoteQuestion({ ...MOVED, why: { kind: "red", failure: "" } });
  expect(silent).toContain("merged here: it failed. Nothing");
});

test("the question about a rewritten branch names the lost commit and the branch's new one, and is the only one to offer merge", () => {
  const pushed = "9d0c5b7ae3f1846207bd9e5c1a2f3048d6e7b9c0";
  const said = remoteQuestion({ ...MOVED, why: { kind: "rewritten", pushed } });
  expect(said).toContain(
    "origin, branch wisp/api, was rewritten: it has lost 9d0c5b7ae3f1, which was pushed there: it is at " +
      "3f9c1e0a7b52 now. wisp forces nothing.",
  );
  expect(said).toContain(
    'Or answer "merge": what is there and what is here are joined, and what was removed comes back.',
  );
  expect(said).toContain(LEAVE);
  expect(remoteQuestion(MOVED)).not.toContain('"merge"');
});

test("a URL is shown without user and password, and quoted if a shell would split it", () => {
  const remote = "https://ada:hunter2@example.org/a b.git";
  const said = remoteQuestion({ ...MOVED, remote });
  expect(said).toContain("https://example.org/a b.git, branch wisp/api");
  expect(said).toContain("git pull --no-rebase 'https://example.org/a b.git' wisp/api");
  expect(said).not.toContain("hunter2");
});

test("names that others chose are cleaned, and cut before the possible answers are", () => {
  const paths = Array.from(
    { length: 20 },
    (_, at) => `\u001B[31m${"x".repeat(300)}\n${String(at)}`,
  );
  const kinds: readonly MovedRemote["why"][] = [
    { kind: "conflict", paths },
    { kind: "red", failure: "y\u001B[2J".repeat(2_000) },
    { kind: "rewritten", pushed: "9d0c5b7ae3f1846207bd9e5c1a2f3048d6e7b9c0" },
  ];
  for (const long of ["x", "o'", "\u001B]"].map((part) => part.repeat(500))) {
    for (const why of kinds) {
      const moved = { ...MOVED, remote: `https://example.org/${long}`, branch: long, why };
      const said = remoteQuestion(moved);
      expect(said).toBe(clip(said));
      expect(said).toContain("Merge it yourself");
      expect(said).toContain('Or answer "leave": work continues');
    }
  }
  const many = remoteQuestion({ ...MOVED, why: { kind: "conflict", paths } });
  expect(many).toContain(" and 14 more. Nothing was changed.");
  const none = remoteQuestion({ ...MOVED, why: { kind: "conflict", paths: [] } });
  expect(none).toContain("in files that git does not name.");
});
