import fc from "fast-check";
import { expect, test } from "vitest";
import {
  EMPTY_HUMAN,
  foldHuman,
  reopens,
  type HumanFold,
} from "../../src/session/state/fold-human.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { anyRecord } from "../rig/arbitrary-record.ts";
import { finding, human } from "../rig/records.ts";

function folded(...records: readonly HumanRecord[]): HumanFold {
  return records.reduce(foldHuman, EMPTY_HUMAN);
}

const { update, answer, add, dismiss, say } = human;

test("updates are counted, and the newest is the version of the request", () => {
  expect(folded(update(1), say("pause"), update(2)).updates).toBe(2);
});

test("what a person adds or dismisses keeps its place in the log", () => {
  const item = finding("HUM-000001");
  expect(folded(update(1), add(item), say("stop"), dismiss("COR-000001")).items).toEqual([
    { kind: "add", index: 1, finding: item },
    { kind: "dismiss", index: 3, id: "COR-000001", why: "not a defect" },
  ]);
});

test("the first answer to a question counts", () => {
  const fold = folded(answer("builder-1", "80"), answer("builder-1", "8080"), answer("builder-2"));
  expect([...fold.answers]).toEqual([
    ["builder-1", "80"],
    ["builder-2", "yes"],
  ]);
});

test("resume lifts a pause and a stop", () => {
  expect(folded(say("pause"), say("stop"))).toMatchObject({ paused: true, stopped: true });
  const resumed = folded(say("pause"), say("stop"), say("resume"));
  expect(resumed).toMatchObject({ paused: false, stopped: false });
});

test("an approval is remembered", () => {
  expect(folded().approved).toBe(false);
  expect(folded(say("approve")).approved).toBe(true);
});

const OID = "1".repeat(40);
const TIME = "2026-11-20T12:00:00.000Z";
const taken: HumanRecord = { kind: "done", time: TIME, at: OID, url: "https://git.example/1" };
const givenUp: HumanRecord = { kind: "abandon", time: TIME };

test("the first record that closes a session counts, and nothing revokes it", () => {
  const url = "https://git.example/1";
  const done = { how: "done", at: OID, url };
  expect(folded(taken, givenUp, say("resume"))).toMatchObject({ closed: done, stopped: true });
  expect(folded(givenUp, taken, say("resume"))).toMatchObject({
    closed: { how: "abandoned" },
    stopped: true,
  });
});

test("records after a session was closed reopen nothing, but earlier ones still do", () => {
  const complete = { how: "complete", human: 0 } as const;
  for (const close of [taken, givenUp]) {
    expect(reopens(folded(close, update(1), say("resume")), complete)).toBe(false);
    expect(reopens(folded(update(1), close), complete)).toBe(true);
  }
});

const complete = { how: "complete", human: 1 } as const;
const stuck = { how: "stuck", human: 1 } as const;

// I13: only update, add, dismiss, answer and resume reopen a session.
test.each([
  ["an update", [update(1)], true, true],
  ["a finding", [add(finding("HUM-000001"))], true, true],
  ["a dismissal", [dismiss("COR-000001")], true, true],
  ["an answer", [answer("builder-1")], true, true],
  ["a resume", [say("resume")], false, true],
  ["a resume after a stop", [say("stop"), say("resume")], true, true],
  ["a stop", [say("stop")], false, false],
  ["a pause", [say("pause")], false, false],
  ["an approval", [say("approve")], false, false],
  ["nothing", [], false, false],
])("%s after the end", (_, later, reopensComplete, reopensStuck) => {
  const fold = folded(say("pause"), ...later);
  expect(reopens(fold, complete)).toBe(reopensComplete);
  expect(reopens(fold, stuck)).toBe(reopensStuck);
});

test("a second answer to a question reopens nothing", () => {
  expect(reopens(folded(answer("builder-1"), answer("builder-1")), complete)).toBe(false);
});

test("a resume after an end reopens the session if a stop came before the resume", () => {
  expect(reopens(folded(say("stop"), say("resume")), complete)).toBe(true);
});

test("records that were read before the end reopen nothing", () => {
  const all = [update(1), add(finding("HUM-000001")), dismiss("COR-000001"), say("resume")];
  expect(reopens(folded(...all), { how: "stuck", human: all.length })).toBe(false);
});

test("a session that was reopened stays reopened, whatever is recorded later", () => {
  const records = fc.array(anyRecord(HumanRecord), { maxLength: 8 });
  fc.assert(
    fc.property(
      records,
      records,
      fc.nat(8),
      fc.constantFrom("complete", "stuck"),
      (early, late, count, how) => {
        const done = { how, human: count } as const;
        const before = folded(...early);
        if (reopens(before, done)) expect(reopens(late.reduce(foldHuman, before), done)).toBe(true);
      },
    ),
  );
});

test("every record has a place, whatever its kind", () => {
  fc.assert(
    fc.property(fc.array(anyRecord(HumanRecord)), (records) => {
      expect(folded(...records).events.map(({ kind }) => kind)).toEqual(
        records.map(({ kind }) => kind),
      );
    }),
  );
});

test("the last move of a session counts, and it may move after it was closed", () => {
  const fold = (
    [
      { kind: "moved", time: "2026-11-20T12:00:00.000Z", to: "ssh:build", id: "a" },
      { kind: "abandon", time: "2026-11-20T12:00:00.000Z" },
      { kind: "moved", time: "2026-11-20T12:00:00.000Z", to: "local", id: "b" },
    ] as const
  ).reduce(foldHuman, EMPTY_HUMAN);
  expect(fold.moved).toEqual({ to: "local", id: "b" });
  expect(fold.closed).toEqual({ how: "abandoned" });
});
