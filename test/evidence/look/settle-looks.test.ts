import { expect, test } from "vitest";
import {
  settleLooks,
  type SuiteLook,
  type Settled,
} from "../../../src/evidence/look/settle-looks.ts";

const GREEN: SuiteLook = { verdict: "green" };
const UNKNOWN: SuiteLook = { verdict: "unknown", cause: "signal", reason: "was ended by SIGKILL" };
const red = (...failing: readonly string[]): SuiteLook => ({ verdict: "red", failing });
const UNNAMED: SuiteLook = { verdict: "red", failing: undefined };

test("a red look goes to the builder at once, unless it decides", () => {
  expect(settleLooks([red("a")], false)).toEqual({
    kind: "red",
    failing: ["a"],
    split: [],
    company: [],
  });
  expect(settleLooks([red("a")], true)).toEqual({ kind: "again" });
});

test("what fails in every look is red, and what passed in one of them is split", () => {
  expect(settleLooks([red("a", "b"), red("a"), red("a", "c")], true)).toEqual({
    kind: "red",
    failing: ["a"],
    split: ["b", "c"],
    company: [],
  });
});

test("one green look clears the tree", () => {
  expect(settleLooks([red("a"), red("a"), GREEN], true)).toEqual({ kind: "green", split: ["a"] });
});

test("if each test that failed passed in another look, nothing is known", () => {
  expect(settleLooks([red("a"), red("b"), red("c")], true)).toMatchObject({
    kind: "unknown",
    cause: "unsteady",
  });
});

test("a red look without names is confirmed by looks without names", () => {
  expect(settleLooks([UNNAMED, UNNAMED, UNNAMED], true)).toEqual({
    kind: "red",
    failing: undefined,
    split: [],
    company: [],
  });
  expect(settleLooks([UNNAMED, red("a"), UNNAMED], true)).toMatchObject({ failing: ["a"] });
});

test("an unknown look is taken again twice, and then stays unknown", () => {
  expect(settleLooks([UNKNOWN], false)).toEqual({ kind: "again" });
  expect(settleLooks([UNKNOWN, UNKNOWN], false)).toEqual({ kind: "again" });
  expect(settleLooks([UNKNOWN, UNKNOWN, UNKNOWN], false)).toMatchObject({
    kind: "unknown",
    cause: "signal",
  });
});

/** All sequences of looks that the rules ask for, with what each of them settles. */
function* sequences(isDeciding: boolean): Generator<readonly [readonly SuiteLook[], Settled]> {
  const kinds: readonly SuiteLook[] = [GREEN, UNKNOWN, UNNAMED, red("a"), red("b"), red("a", "b")];
  const open: (readonly SuiteLook[])[] = [[]];
  for (let looks = open.pop(); looks !== undefined; looks = open.pop()) {
    const settled = settleLooks(looks, isDeciding);
    if (settled.kind !== "again") yield [looks, settled];
    else for (const look of kinds) open.push([...looks, look]);
  }
}

test.each([true, false])(
  "every sequence of looks ends, by the rules (deciding: %s)",
  (isDeciding) => {
    let count = 0;
    for (const [looks, settled] of sequences(isDeciding)) {
      count++;
      expect(looks.length).toBeLessThanOrEqual(5);
      const isSeenGreen = looks.some(({ verdict }) => verdict === "green");
      const reds = looks.flatMap((look) => (look.verdict === "red" ? [look] : []));
      // Green needs a green look, and a green look is the last.
      expect(settled.kind === "green").toBe(isSeenGreen);
      if (settled.kind !== "red") continue;
      // Red that decides was red three times, and names only what every named look has.
      expect(reds.length).toBe(isDeciding ? 3 : 1);
      for (const name of settled.failing ?? []) {
        expect(reds.every(({ failing }) => failing === undefined || failing.includes(name))).toBe(
          true,
        );
      }
      expect(settled.split.some((name) => settled.failing?.includes(name))).toBe(false);
    }
    expect(count).toBeGreaterThan(10);
  },
);
