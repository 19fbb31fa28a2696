import fc from "fast-check";
import { expect, test } from "vitest";
import { backoffMs } from "../../src/streams/retry.ts";

const BACKOFF = { msMin: 100, msMax: 1_000 };

test("the wait doubles up to its bound; half of it is left to chance", () => {
  const shortest = [1, 2, 3, 4, 5, 6].map((attempt) => backoffMs(attempt, BACKOFF, 0));
  expect(shortest).toEqual([50, 100, 200, 400, 500, 500]);
  const longest = [1, 2, 3, 4, 5, 6].map((attempt) => backoffMs(attempt, BACKOFF, 1 - 2 ** -53));
  expect(longest).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});

test("it is always between half and all of the full delay, even after very many attempts", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, msMin, msMax, random) => {
        const due = Math.min(msMin * 2 ** Math.min(attempt - 1, 40), msMax);
        const waited = backoffMs(attempt, { msMin, msMax }, random);
        expect(waited).toBeGreaterThanOrEqual(Math.floor(due / 2));
        expect(waited).toBeLessThanOrEqual(due);
        expect(Number.isInteger(waited)).toBe(true);
      },
    ),
  );
});

test("attempts are counted from 1, and chance is a number in [0, 1)", () => {
  expect(() => backoffMs(0, BACKOFF, 0)).toThrow("attempts are counted from 1");
  expect(() => backoffMs(1, BACKOFF, 1)).toThrow("random is in [0, 1)");
});
