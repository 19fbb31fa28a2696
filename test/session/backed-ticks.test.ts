import fc from "fast-check";
import { expect, test } from "vitest";
import { backingOf, type Built } from "../../src/session/steps/backed-ticks.ts";

const built: fc.Arbitrary<Built> = fc.record({
  byTurn: fc.boolean(),
  byAttempts: fc.boolean(),
  sinceStart: fc.boolean(),
  byOthers: fc.boolean(),
});

test("a tick is backed exactly if the session built something", () => {
  fc.assert(
    fc.property(built, (facts) => {
      const own = facts.sinceStart && (facts.byTurn || facts.byAttempts);
      expect(backingOf(facts) === "nothing").toBe(!own && !facts.byOthers);
    }),
  );
});

test("all boxes of a turn are backed only by changes of the turn itself", () => {
  fc.assert(
    fc.property(built, (facts) => {
      expect(backingOf(facts) === "turn").toBe(facts.byTurn && facts.sinceStart);
    }),
  );
});

test("work of the milestone's own attempts counts before work for other milestones", () => {
  const own = { byTurn: false, byAttempts: true, sinceStart: true, byOthers: true };
  expect(backingOf(own)).toBe("attempts");
});
