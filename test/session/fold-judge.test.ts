import { milestoneGaveUp } from "../../src/session/state/gave-up.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  EMPTY_JUDGE,
  foldJudge,
  judgedKey,
  type JudgeFold,
} from "../../src/session/state/fold-judge.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { anyRecord } from "../rig/arbitrary-record.ts";
import { finding, reviewer, sha, tester, timeAt } from "../rig/records.ts";

function folded(...records: readonly (ReviewerRecord | TesterRecord)[]): JudgeFold {
  return records.reduce(foldJudge, EMPTY_JUDGE);
}

const COR = "COR-000001";
const BUG = "BUG-000001";
const found = reviewer.commit(1, { findings: [finding(COR)] });

test("a reviewed commit moves the checkpoint, and so does a covered one", () => {
  const fold = folded(reviewer.commit(1), reviewer.commit(2, { outcome: "covered" }));
  expect(fold.checkpoint).toBe(sha(2));
});

test("a reviewed commit and its findings are one record", () => {
  const fold = folded(found);
  expect(fold.checkpoint).toBe(sha(1));
  expect([...fold.open]).toEqual([COR]);
  expect(fold.items.get(COR)?.brief).toBe("It is wrong");
});

test("a milestone is answered by its review or its test", () => {
  expect([...folded(reviewer.milestone("A")).answered]).toEqual(["A"]);
  expect([...folded(tester.test("A"), tester.test("B")).answered]).toEqual(["A", "B"]);
});

test("a milestone's review that covers its commits answers it and moves the checkpoint, once", () => {
  const covers = { checkpoint: sha(3) };
  expect(folded(reviewer.milestone("A", covers))).toMatchObject(covers);
  const gaveUp = reviewer.milestone("A", { ...covers, outcome: "gaveup", reopens: 0 });
  expect([...folded(gaveUp).gaveUp.values()]).toEqual([
    { subject: "A", of: "milestone", covers: true, atReopens: 0 },
  ]);
  const twice = folded(gaveUp, reviewer.milestone("A", { outcome: "gaveup", reopens: 1 }));
  expect([...twice.gaveUp.values()]).toEqual([
    { subject: "A", of: "milestone", covers: true, atReopens: 1 },
  ]);
  const again = folded(gaveUp, reviewer.commit(4), reviewer.milestone("A", covers));
  expect(again).toMatchObject({ checkpoint: sha(4) });
  expect(again.gaveUp.size).toBe(0);
});

test("a unit that gave up counts as answered, and is remembered until it is judged after all", () => {
  const gaveUp = folded(
    reviewer.commit(1, { outcome: "gaveup", reopens: 1 }),
    reviewer.milestone("A", { outcome: "gaveup", reopens: 2 }),
  );
  expect(gaveUp.checkpoint).toBe(sha(1));
  expect(gaveUp.answered.has("A")).toBe(true);
  expect([...gaveUp.gaveUp.values()]).toEqual([
    { subject: sha(1), of: "commit", atReopens: 1 },
    { subject: "A", of: "milestone", atReopens: 2 },
  ]);
  const again = [gaveUp, ...[reviewer.commit(1), reviewer.milestone("A")]] as const;
  const judged = foldJudge(foldJudge(again[0], again[1]), again[2]);
  expect(judged.gaveUp.size).toBe(0);
});

test("repeating the review of a commit that gave up does not move the checkpoint back", () => {
  const fold = folded(
    reviewer.commit(1, { outcome: "gaveup", reopens: 0 }),
    reviewer.commit(2),
    reviewer.commit(1, { findings: [finding(COR)] }),
  );
  expect(fold.checkpoint).toBe(sha(2));
  expect([...fold.open]).toEqual([COR]);
});

test("a review that gives up a second time remembers the newer reopen", () => {
  const fold = folded(
    tester.test("A", { outcome: "gaveup", reopens: 0 }),
    tester.test("A", { outcome: "gaveup", reopens: 1 }),
  );
  expect(milestoneGaveUp(fold, "A")?.atReopens).toBe(1);
});

test("a question ends the unit and answers nothing", () => {
  const asks = { outcome: "needs_input", question: "reviewer-1", ask: "Why?" } as const;
  const fold = folded(
    reviewer.commit(1, asks),
    reviewer.milestone("A", { ...asks, outcome: "blocked" }),
  );
  expect(fold.checkpoint).toBeUndefined();
  expect(fold.answered.size).toBe(0);
  expect(fold.questions).toHaveLength(2);
  expect(fold.questions[0]).toEqual({ id: "reviewer-1", unit: `commit:${sha(1)}`, ask: "Why?" });
});

test("a finding that is reported again while it is open adds nothing", () => {
  const again = reviewer.milestone("A", { findings: [finding(COR, { brief: "In other words" })] });
  const fold = folded(found, again);
  expect(fold.open.size).toBe(1);
  expect(fold.items.get(COR)?.brief).toBe("It is wrong");
});

test("only its opener's verdict closes an item, and every verdict answers its attempt", () => {
  const reopened = folded(found, reviewer.verify(COR, "reopened", { reason: "still wrong" }));
  expect([...reopened.open]).toEqual([COR]);
  expect(reopened.judged.get(judgedKey(COR, 1))).toBe("reopened");
  expect(reopened.refusals.get(COR)).toBe("still wrong");
  const gaveUp = folded(found, reviewer.verify(COR, "gaveup", { attempt: 2 }));
  expect([...gaveUp.open]).toEqual([COR]);
  expect(gaveUp.judged.get(judgedKey(COR, 2))).toBe("gaveup");
  const closed = foldJudge(reopened, reviewer.verify(COR, "closed", { attempt: 2 }));
  expect(closed.open.size).toBe(0);
  expect(closed.judged.get(judgedKey(COR, 2))).toBe("closed");
});

test("a verdict that waits for a person judges nothing", () => {
  const fold = folded(found, reviewer.verify(COR, "blocked", { question: "reviewer-1" }));
  expect(fold.judged.size).toBe(0);
  expect([...fold.open]).toEqual([COR]);
});

test("a closed finding that is reported again is reopened", () => {
  const fold = folded(
    found,
    reviewer.verify(COR, "closed"),
    reviewer.commit(3, { findings: [finding(COR)] }),
  );
  expect([...fold.open]).toEqual([COR]);
});

test("a dismissed finding is closed, and stays closed if it is reported again", () => {
  const fold = folded(
    found,
    reviewer.adopt(0, { dismiss: COR }),
    reviewer.commit(3, { findings: [finding(COR)] }),
    reviewer.verify(COR, "reopened"),
  );
  expect(fold.open.size).toBe(0);
  expect(fold.human).toBe(1);
});

test("a person's finding belongs to the reviewer once adopted", () => {
  const fold = folded(reviewer.adopt(4, { finding: finding("HUM-000001") }));
  expect([...fold.open]).toEqual(["HUM-000001"]);
  expect(fold.human).toBe(5);
});

test("a final pass records its HEAD and its bugs; the last pass counts", () => {
  const fold = folded(
    tester.final(1, { outcome: "gaveup" }),
    tester.final(2, { at: sha(7), bugs: [finding(BUG)] }),
  );
  expect(fold).toMatchObject({ finalDone: 2, finalAt: sha(7), finalGaveUp: false });
  expect([...fold.open]).toEqual([BUG]);
  expect(folded(tester.final(1, { outcome: "gaveup" })).finalGaveUp).toBe(true);
});

test("the open unit keeps its newest intent, and every end closes it", () => {
  const unit = `test:A:${sha(9)}`;
  const time = timeAt(0);
  const begin = { kind: "unit.begin", time, unit, base: sha(9) } as const;
  const intent = (n: number): TesterRecord => {
    return { kind: "push.intent", time, unit, shas: [sha(n)] };
  };
  expect(folded(begin, intent(1), intent(2)).openUnit?.intent).toEqual({ shas: [sha(2)] });
  expect(folded(intent(1)).openUnit).toBeUndefined();
  expect(folded(begin, tester.test("A")).openUnit).toBeUndefined();
  const asks = { outcome: "needs_input", question: "tester-1" } as const;
  expect(folded(begin, tester.test("A", asks)).openUnit).toBeUndefined();
});

test("a role's drain clock starts again at each of its ends", () => {
  expect(folded(reviewer.commit(1, { time: timeAt(7) })).lastEndMs).toBe(Date.parse(timeAt(7)));
  expect(folded(tester.final(1, { time: timeAt(8) })).lastEndMs).toBe(Date.parse(timeAt(8)));
});

test("no sequence of records that a schema accepts makes the fold fail", () => {
  const records = fc.oneof(anyRecord(ReviewerRecord), anyRecord(TesterRecord));
  fc.assert(
    fc.property(fc.array(records, { maxLength: 20 }), (history) => {
      const fold = history.reduce(foldJudge, EMPTY_JUDGE);
      for (const id of fold.open) expect(fold.items.has(id)).toBe(true);
      for (const id of fold.dismissed) expect(fold.open.has(id)).toBe(false);
    }),
  );
});
