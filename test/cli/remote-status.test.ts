import { expect, test } from "vitest";
import { remoteStatus } from "../../src/cli/remote-status.ts";
import type { SessionJson } from "../../src/fs-protocol/session-json.ts";
import { factsOf, oid, type Story } from "./session-states.ts";

const PUBLISH = { at: "boundary", remote: "origin" } as const;
const pushed = `remote.push unit=remote:1 at=${oid("1")} outcome=pushed`;
const failed = `remote.push unit=remote:2 at=${oid("2")} outcome=failed reason="no \\u001b[31mroute"`;
const asked = `remote.push unit=remote:2 at=${oid("2")} outcome=needs_input question=builder-1 ask="What now?"`;
const left = `remote.push unit=remote:2 at=${oid("2")} outcome=left`;
/** An end: which one makes no difference here. */
const over = [
  "halt reason=stuck explanation=stuck",
  `done how=stuck head=${oid("2")} open=- gaveup=- failed="[]" human=0 reason=stuck`,
];
const commits = [oid("1"), oid("2")];

function statusOf(story: Story, publish: SessionJson["publish"] = PUBLISH) {
  const { session, state } = factsOf(story);
  return remoteStatus({ ...session, publish }, state);
}

test("nothing is said of a remote that the work is not brought to while it is worked on", () => {
  expect(statusOf({}, { at: "boundary" })).toBeUndefined();
  expect(statusOf({}, { remote: "origin", at: "done" })).toBeUndefined();
});

test("nothing is said while all is well: the branch is there, or the work goes on", () => {
  const there = statusOf({ builder: [pushed], commits: [oid("1")] });
  expect(there).toEqual({
    ...{ remote: "origin", pushed: oid("1"), isThere: true },
    ...{ failure: undefined, isLeft: false, says: undefined, command: undefined },
  });
  expect(statusOf({ builder: [pushed], commits })).toMatchObject({
    ...{ isThere: false, says: undefined, command: undefined },
  });
  expect(statusOf({ builder: [pushed, asked], commits })?.says).toBeUndefined();
});

test("a push that failed is told in the remote's words, cleaned, and that it is tried again", () => {
  expect(statusOf({ builder: [pushed, failed], commits })).toMatchObject({
    says: "the last push to origin failed: no route (it is at 1111111111 there; the next boundary tries again)",
    command: undefined,
  });
  expect(statusOf({ builder: [failed], commits })?.says).toContain("(nothing of it is there;");
});

test("after the end it is told what is not there, with the command that brings it", () => {
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

test("a remote that was left alone is told as that", () => {
  expect(statusOf({ builder: [pushed, asked, left], commits })).toMatchObject({
    isLeft: true,
    says: "origin is left alone, as you said: it is at 1111111111 there",
  });
});

test("of a URL user and password are left out", () => {
  const publish = { ...PUBLISH, remote: "https://ada:hunter2@example.org/x.git" };
  const said = statusOf({ builder: [failed], commits }, publish);
  expect(said?.remote).toBe("https://example.org/x.git");
  expect(JSON.stringify(said)).not.toContain("hunter2");
});
