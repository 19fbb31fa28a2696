import { abbreviate } from "../../base/oid.ts";
import { harnessFiles } from "../harness/old-tests.ts";
import { countedTests, verifiedEnds } from "../harness/test-counts.ts";
import { isAskedFor } from "../integrity/asked-for.ts";
import { hidesTest } from "../integrity/tampering.ts";
import type { RangeRule, SeenRange } from "./evidence-rule.ts";
import { BY_COMPUTING, closedAt, computedOf, rangeFinding, reopenedAt } from "./range-finding.ts";

/**
 * Verify ran fewer tests at the end of a range than at its start although no test file lost one, which means that
 * something keeps tests from being run. Reports nothing if either output does not contain the number, if verify was
 * red, since it may have ended early, or if a file came from a runner that counts checks to one that counts tests.
 */
export const fewer: RangeRule = {
  kind: "fewer",
  role: "reviewer",
  mayChangeTests: false,
  restoresTests: false,

  describe(seen) {
    const fall = fallIn(seen);
    return fall === undefined ? "" : `wisp counted: ${fall.words}.`;
  },

  find(seen) {
    const { changed, tasks, range } = seen;
    const fall = fallIn(seen);
    if (fall?.size !== "most") return [];
    const files = [...changed.old, ...changed.commands.keys(), ...harnessFiles(changed)];
    if (files.some((file) => isAskedFor(tasks, { file, titles: [] }))) return [];
    return [
      rangeFinding({
        of: "fewer",
        range,
        file: files.length === 1 ? files[0] : undefined,
        line: undefined,
        anchor: "fewer tests run",
        brief: "Most tests are not run any more",
        issue: `By their own summaries ${fall.words}.`,
        suggestion: `Have verify run all tests again. ${BY_COMPUTING}`,
      }),
    ];
  },

  /** Compares the number of tests at the start of the range with that at the fix. */
  async findAgain(context, state, again) {
    const { at } = again;
    const range = { start: computedOf(again).start, end: at };
    const ends = await verifiedEnds(context.session, state, await context.clone(), range);
    const counted = countedTests(context, ends);
    if (counted === undefined) return reopenedAt(at, "verify does not say how many tests ran");
    const { before, after, fall } = counted;
    const counts = `verify ran ${String(after)} tests, and ${String(before)} before`;
    return fall === "most" ? reopenedAt(at, counts) : closedAt(at, counts);
  },
};

function fallIn({ changed, counted, range }: SeenRange) {
  // Hidden tests are reported separately.
  if (changed.tampering.some(hidesTest)) return undefined;
  const numbers = counted();
  if (numbers === undefined || numbers.fall === "none" || changed.isCountedAnew) return undefined;
  const { before, after, fall } = numbers;
  const words = `verify ran ${String(before)} tests at ${abbreviate(range.start)} and ${String(after)} at ${abbreviate(range.end)}, although no test file says that a test was taken away`;
  return { size: fall, words };
}
