import fc from "fast-check";
import { expect, test } from "vitest";
import {
  answerOnBase,
  isBaseAnswerUnread,
  isBaseUnjudged,
  isRedAccepted,
} from "../../src/session/state/base-outcome.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import type { Policy } from "../../src/fs-protocol/home/policy.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../src/session/state/fold-builder.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import { decodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";

const BASE = "3f9c1e0a7b52d84e6f01c2a9b8d7e6f5a4c3b2d1";
const AT = `at=${BASE}`;
const RESULT = `verify.result ${AT} tree=${BASE} command=c setup=s`;
const RED = `${RESULT} outcome=failed`;
const NAMED = `${RED} failing="[\\"old\\"]"`;
const PASSED = `${RESULT} outcome=passed`;
const END = `base.end unit=base:${BASE} ${AT}`;
const asks = (n: number) => `${END} question=builder-${String(n)} ask=Why? outcome=needs_input`;
const ACCEPTED = `${END} outcome=accepted by=builder-1`;
const ADOPTS = `plan.adopt seq=0 plan=p request=0 milestones="[{\\"name\\":\\"a\\",\\"tasks\\":[\\"t\\"]}]"`;

/** Folds the log of a builder. */
function folded(...lines: readonly string[]): BuilderFold {
  return foldedBy({}, ...lines);
}

function foldedBy(rule: Partial<Policy>, ...lines: readonly string[]): BuilderFold {
  return lines.reduce((fold, line) => {
    const read = decodeRecord(BuilderRecord, `2026-01-01T00:00:00.000Z ${line}`);
    if (!read.ok) throw new Error(`not a record: ${line}`);
    return foldBuilder(fold, read.value, { ...DEFAULT_POLICY, ...rule });
  }, EMPTY_BUILDER);
}

test.each([
  ["nothing is known", [], true],
  ["it is red without names", [RED], true],
  ["it is red by name", [NAMED], false],
  ["it passed", [PASSED], false],
  ["it was red, and names tests when verify runs again", [RED, NAMED], false],
  ["a person is asked", [RED, asks(1)], false],
  ["a session is beyond its plan", [RED, ADOPTS], false],
] as const)("%s: whether the base is to be looked at", (_, lines, expected) => {
  expect(isBaseUnjudged(folded(...lines), undefined)).toBe(expected);
  // Since version 3, every red base is a question.
  const asked = lines.every((line) => line !== NAMED) ? expected : lines.at(-1) === NAMED;
  expect(isBaseUnjudged(folded(...lines), {})).toBe(asked);
});

test.each([
  ["nobody has answered", [RED, asks(1)], false],
  ["a person has accepted it", [RED, asks(1), ACCEPTED], true],
  ["verify passed when it ran again", [RED, asks(1), PASSED, `${END} outcome=judged`], false],
  ["verify named tests at once", [NAMED, ADOPTS], false],
  ["a person has accepted tests by name", [NAMED, asks(1), ACCEPTED], false],
  ["a session was beyond its plan before anybody was asked", [RED, ADOPTS], true],
  ["its setup failed, so that nothing was recorded", [ADOPTS], true],
] as const)("%s: whether red against red without names is no worse", (_, lines, expected) => {
  expect(isRedAccepted(folded(...lines))).toBe(expected);
});

test("only the open question can be accepted", () => {
  const other = folded(RED, asks(1), RED, asks(2), ACCEPTED);
  expect(other.baseOutcome).toEqual({ kind: "asked", question: "builder-2" });
  expect(folded(ACCEPTED).baseOutcome).toBeUndefined();
  expect(other.questions.map(({ id }) => id)).toEqual(["builder-1", "builder-2"]);
});

test("the latest result of verify is the one recorded for the base", () => {
  expect(folded(RED, asks(1), PASSED).baseline?.outcome).toBe("passed");
  // A person's plan may come into force while the question is open.
  expect(folded(RED, asks(1), ADOPTS, NAMED).baseline?.failing).toEqual(["old"]);
  expect(folded(NAMED, ADOPTS, RED).baseline?.failing).toEqual(["old"]);
});

test("only the answer `accept` accepts, and it counts only for its own question", () => {
  const fold = folded(RED, asks(2));
  const said = (text: string) => answerOnBase(fold, { answers: new Map([["builder-2", text]]) });
  for (const text of ["accept", " ACCEPT\n", '"accept"', "`Accept`"])
    expect(said(text)).toBe("accept");
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("", "accept"), (before, word) => {
      const text = `${before}${word}.`;
      expect(said(text)).toBe("again");
    }),
  );
  expect(answerOnBase(fold, { answers: new Map([["builder-1", "accept"]]) })).toBeUndefined();
});

test("what another command showed at the base counts no more once an answer replaced it", () => {
  const other = `${RESULT.replace("command=c", "command=d")} outcome=passed`;
  expect(
    [...folded(NAMED, asks(1), other).verified.values()].map(({ outcome }) => outcome),
  ).toEqual(["passed"]);
  // Verify runs at other commits with the same command once the base is settled.
  const later = other.replace(`tree=${BASE}`, `tree=${"1".repeat(40)}`);
  expect(folded(PASSED, ADOPTS, later).verified.size).toBe(2);
});

test("a base that is judged while it is red has no verify any more, by an answer, and is no excuse for anything", () => {
  const left = [NAMED, asks(1), `${END} outcome=judged`] as const;
  const fold = foldedBy({ redBase: {} }, ...left);
  expect(fold).toMatchObject({ baseline: undefined, baseOutcome: { kind: "judged" } });
  expect(fold.verified.size).toBe(0);
  expect(isRedAccepted(fold)).toBe(false);
  // Before version 3, a base that is red by name was judged.
  expect(folded(...left).baseline?.failing).toEqual(["old"]);
});

test("the builder does not go on from a question about the base before a person has answered it", () => {
  const nobody = { answers: new Map<string, string>() };
  const said = { answers: new Map([["builder-1", "again"]]) };
  expect(isBaseAnswerUnread(folded(RED, asks(1)), nobody)).toBe(false);
  for (const next of [asks(2), ACCEPTED, `${END} outcome=judged`]) {
    expect(isBaseAnswerUnread(folded(RED, asks(1), next), nobody)).toBe(true);
    expect(isBaseAnswerUnread(folded(RED, asks(1), next), said)).toBe(false);
  }
  const settled = folded(RED, asks(1), `${ACCEPTED} how=settings`);
  expect(isBaseAnswerUnread(settled, nobody)).toBe(false);
});
