import { expect, test } from "vitest";
import { remoteStatus } from "../../src/views/status/remote-status.ts";
import { Oid } from "../../src/base/oid.ts";
import { plainText } from "../../src/views/rows/row.ts";
import { listedSession, sessionRows } from "../../src/views/next/session-rows.ts";
import { statusView } from "../../src/views/status/status-view.ts";
import type { RemoteRelation } from "../../src/git/remote/remote-branch.ts";
import type { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { factsOf, json, oid, type Story } from "../cli/session-states.ts";

const PUBLISH = { at: "boundary", remote: "origin" } as const;
const pushed = `remote.push unit=remote:1 at=${oid("1")} outcome=pushed`;
const failed = `remote.push unit=remote:2 at=${oid("2")} outcome=failed reason="no \\u001b[31mroute"`;
const asked = `remote.push unit=remote:2 at=${oid("2")} outcome=needs_input question=builder-1 ask="What now?"`;
const leftAlone = `remote.push unit=remote:2 at=${oid("2")} outcome=left`;
/** An end of a session; its kind does not matter here. */
const over = [
  "halt reason=stuck explanation=stuck",
  `done how=stuck head=${oid("2")} open=- gaveup=- failed="[]" human=0 reason=stuck`,
];
const commits = [oid("1"), oid("2")];

function statusOf(
  story: Story,
  publish: SessionJson["publish"] = PUBLISH,
  seen?: Parameters<typeof remoteStatus>[2],
) {
  const { session, state } = factsOf(story);
  return remoteStatus({ ...session, publish }, state, seen);
}

/** The remote's branch as observed after the last push. */
const seenAt = (digit: string, relation: RemoteRelation) => ({
  tip: Oid.parse(oid(digit)),
  seenMs: Date.parse("2026-11-20T12:34:56.000Z"),
  relation,
});

test("says nothing about a remote that is not pushed to during the work", () => {
  expect(statusOf({}, { at: "boundary" })).toBeUndefined();
  expect(statusOf({}, { remote: "origin", at: "done" })).toBeUndefined();
});

test("says nothing if the branch is at the remote or the work continues", () => {
  const there = statusOf({ builder: [pushed], commits: [oid("1")] });
  expect(there).toEqual({
    ...{ remote: "origin", pushed: oid("1"), isThere: true, hasMore: false },
    ...{ failure: undefined, isLeft: false, says: undefined, command: undefined },
  });
  expect(statusOf({ builder: [pushed], commits })).toMatchObject({
    ...{ isThere: false, says: undefined, command: undefined },
  });
  expect(statusOf({ builder: [pushed, asked], commits })?.says).toBeUndefined();
});

test("reports a failed push with the remote's cleaned message, and that it will be retried", () => {
  expect(statusOf({ builder: [pushed, failed], commits })).toMatchObject({
    says: "the last push to origin failed: no route (it is at 1111111111 there; the next boundary tries again)",
    command: undefined,
  });
  expect(statusOf({ builder: [failed], commits })?.says).toContain(
    "(nothing has been pushed there;",
  );
});

test("after the end, says what is not at the remote, with the command that pushes it", () => {
  expect(statusOf({ builder: [pushed, failed, ...over], commits })).toMatchObject({
    says: "the last push to origin failed: no route (it is at 1111111111 there)",
    command: "wisp done api",
  });
  expect(statusOf({ builder: [pushed, ...over], commits })).toMatchObject({
    says: "the work is not at origin: it is at 1111111111 there",
    command: "wisp done api",
  });
  const closed = { builder: [pushed, ...over], human: [`done at=${oid("2")}`], commits };
  expect(statusOf(closed)?.command).toBeUndefined();
});

test("says that a remote is left alone", () => {
  expect(statusOf({ builder: [pushed, asked, leftAlone], commits })).toMatchObject({
    isLeft: true,
    says: "origin is left alone, as you asked: it is at 1111111111 there",
  });
});

const AT_3 = "it was at 3333333333 there when last checked, 2026-11-20 12:34 UTC";
const ended = { builder: [pushed, ...over], commits };

test.each(["ahead", "apart"] as const)(
  "after the end, reports foreign commits at the remote and when they were seen: %s",
  (relation) => {
    const seen = seenAt("3", relation);
    expect(statusOf(ended, PUBLISH, seen)).toMatchObject({
      hasMore: true,
      isThere: false,
      seen: { at: oid("3"), time: "2026-11-20T12:34:56.000Z" },
      says: `origin has commits that this branch lacks: ${AT_3}`,
      command: "git switch wisp/api && git pull --no-rebase origin wisp/api && git switch -",
    });
    const left = statusOf({ builder: [pushed, asked, leftAlone, ...over], commits }, PUBLISH, seen);
    expect(left?.says).toBe(`origin is left alone, as you asked: ${AT_3}`);
  },
);

test("commits that were pulled from the remote count as pushed, whatever was pushed last", () => {
  const status = statusOf(ended, PUBLISH, seenAt("2", "same"));
  expect(status).toMatchObject({ isThere: true, says: undefined, command: undefined });
  expect(statusOf(ended, PUBLISH, seenAt("3", "behind"))?.says).toBe(
    `the work is not at origin: ${AT_3}`,
  );
});

test("complete work whose remote has moved names the merge first, also in the list", () => {
  const one = json([{ name: "One", tasks: ["a"] }]);
  const built = `build.end unit=build:One:1 m=One outcome=milestone ticks=${json([{ m: "One", tasks: [1] }])} commits=${oid("1")} milestones=${json([{ name: "One", start: oid("0"), end: oid("1") }])}`;
  const complete = {
    builder: [
      `plan.adopt seq=0 plan=${"a".repeat(64)} request=0 milestones=${one}`,
      ...[built, pushed, `final.open n=1 at=${oid("1")}`],
      `done how=complete head=${oid("1")} open=- gaveup=- failed="[]" human=0 reason=x`,
    ],
    reviewer: [
      `review.end unit=commit:${oid("1")} checkpoint=${oid("1")} outcome=reviewed findings="[]"`,
    ],
    commits: [oid("1")],
  };
  const of = (human: readonly string[]) => {
    const facts = factsOf({ ...complete, human }, []);
    const session = { ...facts.session, publish: PUBLISH };
    return { ...facts, session, remoteSeen: seenAt("3", "ahead") };
  };
  const pull = "git switch wisp/api && git pull --no-rebase origin wisp/api && git switch -";
  for (const human of [[], [`approve at=${oid("1")}`]]) {
    expect(statusView(of(human)).next).toEqual([
      pull,
      "wisp resume api",
      "wisp done api --no-push",
    ]);
  }
  const listed = listedSession(of([]));
  expect(plainText(sessionRows([listed]))).toContain("origin has more commits");
});

test("omits user and password of a URL", () => {
  const publish = { ...PUBLISH, remote: "https://ada:hunter2@example.org/x.git" };
  const status = statusOf({ builder: [failed], commits }, publish);
  expect(status?.remote).toBe("https://example.org/x.git");
  expect(JSON.stringify(status)).not.toContain("hunter2");
});
