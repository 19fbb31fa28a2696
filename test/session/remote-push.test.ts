import { expect, test } from "vitest";
import { EMPTY_BUILDER } from "../../src/session/state/builder-state.ts";
import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import {
  answerOnRemote,
  foldRemotePush,
  isBehindRemote,
} from "../../src/session/state/remote-push.ts";

type RemotePush = Extract<BuilderRecord, { readonly kind: "remote.push" }>;

const ONE = "1".repeat(40);
const TWO = "2".repeat(40);

function after(...ends: readonly Partial<RemotePush>[]) {
  return ends.reduce(
    (fold, end) =>
      foldRemotePush(fold, {
        kind: "remote.push",
        time: "2026-11-20T12:00:00.000Z",
        unit: `remote:${String(fold.remote.ended + 1)}`,
        at: ONE,
        outcome: "pushed",
        ...end,
      }),
    EMPTY_BUILDER,
  );
}

const ASKED = { outcome: "needs_input", question: "builder-1", ask: "What now?" } as const;

test.each([
  ["leave", "leave"],
  ["  Leave\n", "leave"],
  ['"leave"', "leave"],
  ["'MERGE'", "merge"],
  ["`merge`", "merge"],
  ["merged", "again"],
  ["leave it", "again"],
  ["do not leave", "again"],
  ["", "again"],
])("the answer %j means %s", (text, means) => {
  const builder = after(ASKED);
  expect(answerOnRemote(builder, { answers: new Map([["builder-1", text]]) })).toBe(means);
});

test("an answer counts only for the open question", () => {
  const answers = new Map([["builder-1", "leave"]]);
  expect(answerOnRemote(EMPTY_BUILDER, { answers })).toBeUndefined();
  expect(answerOnRemote(after(ASKED), { answers: new Map() })).toBeUndefined();
  expect(answerOnRemote(after(ASKED, {}), { answers })).toBeUndefined();
  const second = after(ASKED, {}, { ...ASKED, question: "builder-2" });
  expect(answerOnRemote(second, { answers })).toBeUndefined();
});

test("a question does not end a remote unit: the next one has the same key", () => {
  const { remote, questions } = after(ASKED);
  expect(remote).toMatchObject({ ended: 0, question: "builder-1" });
  expect(questions).toMatchObject([{ id: "builder-1", unit: "remote:1" }]);
});

test("a failed remote unit keeps the record of the last push, and the next one clears the failure", () => {
  const failed = after({}, { outcome: "failed", at: TWO, reason: "no route" });
  expect(failed.remote).toMatchObject({ ended: 2, at: TWO, pushed: ONE, failure: "no route" });
  expect(after({ outcome: "failed" }).remote.failure).toBe("git does not say why");
  expect(after({ outcome: "failed", reason: "no route" }, {}).remote.failure).toBeUndefined();
});

test("a session that has to leave the remote alone is never behind it again", () => {
  expect(isBehindRemote(after({}), ONE)).toBe(false);
  expect(isBehindRemote(after({}), TWO)).toBe(true);
  const left = after(ASKED, { outcome: "left" }, { outcome: "pushed" });
  expect(left.remote.isLeft).toBe(true);
  expect(isBehindRemote(left, TWO)).toBe(false);
});
