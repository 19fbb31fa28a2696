import { expect, test } from "vitest";
import { decodeCassette, type Cassette } from "../../../src/engines/replay/cassette.ts";
import { chooseTurn, type TurnFacts } from "../../../src/engines/replay/choose-turn.ts";

const FACTS: TurnFacts = {
  purpose: "build",
  unit: "build:API:2",
  attempt: 2,
  ask: 1,
  milestone: "API",
  finding: undefined,
  subject: () => undefined,
  prompt: () => "",
};

function cassetteOf(...conditions: readonly string[]): Cassette {
  const turns = conditions.map((on) => `  - on: ${on}\n    do: []\n`).join("");
  const decoded = decodeCassette(`version: 1\nturns:\n${turns}defaults:\n  final-test: []\n`);
  if (!decoded.ok) expect.fail(decoded.failure.problem);
  return decoded.value;
}

function holds(condition: string, facts: Partial<TurnFacts>): boolean {
  return chooseTurn(cassetteOf(condition), { ...FACTS, ...facts }) !== undefined;
}

test("chooses the first turn that matches", () => {
  const cassette = cassetteOf(
    "{ purpose: plan }",
    "{ purpose: build, attempt: 1 }",
    "{ purpose: build, milestone: API }",
    "{ purpose: build }",
  );
  expect(chooseTurn(cassette, FACTS)?.on).toEqual({ purpose: "build", milestone: "API" });
});

test("without a match, chooses the default of the purpose, or nothing", () => {
  const cassette = cassetteOf("{ purpose: plan }");
  expect(chooseTurn(cassette, FACTS)).toBeUndefined();
  const chosen = chooseTurn(cassette, { ...FACTS, purpose: "final-test" });
  expect(chosen).toBe(cassette.defaults.get("final-test"));
});

test.each<[string, Partial<TurnFacts>, Partial<TurnFacts>]>([
  ["{ purpose: fix }", { purpose: "fix" }, { purpose: "build" }],
  ["{ attempt: 2 }", { attempt: 2 }, { attempt: 3 }],
  ["{ ask: 2 }", { ask: 2 }, { ask: 1 }],
  ["{ unit: 'final:*' }", { unit: "final:2" }, { unit: "finals:2" }],
  ["{ milestone: 'User API: *' }", { milestone: "User API: models" }, { milestone: undefined }],
  ["{ milestone: 'a.b (c)?' }", { milestone: "a.b (c)!" }, { milestone: "axb (c)!" }],
  ["{ finding: COR-* }", { finding: "COR-3fa2b1" }, { finding: "SEC-3fa2b1" }],
  ["{ subject: 'Add *' }", { subject: () => "Add the parser" }, { subject: () => "Re-Add" }],
  ["{ prompt: five tasks }", { prompt: () => "at most five tasks.\n" }, { prompt: () => "" }],
])("%s matches or does not", (condition, facts, others) => {
  expect(holds(condition, facts)).toBe(true);
  expect(holds(condition, others)).toBe(false);
});

test("reads a commit's subject only if everything else matches", () => {
  const subject = (): string => expect.fail("asked");
  expect(holds("{ purpose: review-commit, subject: x }", { subject })).toBe(false);
});
