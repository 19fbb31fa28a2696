import fc from "fast-check";
import { expect, test } from "vitest";
import { whyKept, type PruneFacts } from "../../src/session/rules/why-kept.ts";

const OVER: PruneFacts = {
  ...{ holders: [], isElsewhere: false, isClosed: true, isComplete: false },
  ...{ openRevision: undefined, unsaved: [], ageMs: 1_000 },
};
const ANY = { olderThanMs: 0, force: false };

const facts: fc.Arbitrary<PruneFacts> = fc.record({
  holders: fc.array(fc.constantFrom("builder", "supervisor"), { maxLength: 2 }),
  isElsewhere: fc.boolean(),
  isClosed: fc.boolean(),
  isComplete: fc.boolean(),
  openRevision: fc.option(fc.constant("a/revision-1"), { nil: undefined }),
  unsaved: fc.array(fc.constant("/clone"), { maxLength: 1 }),
  ageMs: fc.nat(),
});
const limits = fc.record({ olderThanMs: fc.nat(), force: fc.boolean() });

test.each([
  [{}, undefined],
  [{ holders: ["builder"] }, "at-work"],
  [{ isElsewhere: true }, "elsewhere"],
  [{ isClosed: false }, "not-finished"],
  [{ isClosed: false, isComplete: true }, "not-shipped"],
  [{ openRevision: "a/revision-1" }, "being-revised"],
  [{ unsaved: ["/clone"] }, "unsaved-work"],
] as const)("a closed session with %j is kept because: %s", (more, why) => {
  expect(whyKept({ ...OVER, ...more }, ANY)).toBe(why);
  const isForcible = why !== "at-work" && why !== "elsewhere";
  expect(whyKept({ ...OVER, ...more }, { ...ANY, force: true })).toBe(isForcible ? undefined : why);
});

test("nothing overrules a process at work, and only force what is not over or not saved", () => {
  fc.assert(
    fc.property(facts, limits, (one, by) => {
      const why = whyKept(one, by);
      if (one.holders.length > 0) expect(why).toBe("at-work");
      if (why !== undefined) return;
      expect(one.ageMs).toBeGreaterThanOrEqual(by.olderThanMs);
      const isOver = one.isClosed && one.openRevision === undefined && one.unsaved.length === 0;
      expect(isOver || by.force).toBe(true);
    }),
  );
});
