import { expect, test } from "vitest";
import { usedByRun, type TurnUsage } from "../../src/fs-protocol/records/turn-usage.ts";

function usage(
  input: number,
  costUsd: number | undefined,
  basis: TurnUsage["costBasis"],
): TurnUsage {
  return {
    tokens: { input, output: 10, cached: 0 },
    costUsd,
    tokensBasis: basis,
    costBasis: basis,
  };
}

test("usage that is reported for each run is the usage of the turn", () => {
  const before = { usage: usage(1_000, 1, "run") };
  expect(usedByRun(usage(700, 0.5, "run"), before)).toMatchObject({ costUsd: 0.5 });
});

test("of usage that is summed over the session, only the increase counts", () => {
  const before = { usage: usage(1_000, 1, "session") };
  expect(usedByRun(usage(1_500, 1.5, "session"), before)).toEqual({
    tokens: { input: 500, output: 0, cached: 0 },
    costUsd: 0.5,
  });
});

test("the first turn of a session has all of its usage", () => {
  for (const basis of ["run", "session", "unknown"] as const) {
    expect(usedByRun(usage(1_000, 1, basis), undefined)).toMatchObject({ costUsd: 1 });
  }
});

test.each([
  ["the previous turn is unknown", usage(1_000, 1, "session"), undefined],
  ["the sum shrank", usage(500, 0.5, "session"), usage(1_000, 1, "session")],
  ["it is unknown what is counted", usage(1_500, 1.5, "unknown"), usage(1_000, 1, "unknown")],
])("usage is unknown, not 0: %s", (_, reported, before) => {
  expect(usedByRun(reported, { usage: before })).toEqual({ tokens: undefined, costUsd: undefined });
});
