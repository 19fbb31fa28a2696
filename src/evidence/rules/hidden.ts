import { abbreviate } from "../../base/oid.ts";
import { isAskedFor } from "../integrity/asked-for.ts";
import { describeTampering } from "../integrity/describe-tampering.ts";
import { groupedBy } from "../integrity/failed-tests.ts";
import { uncomparedWords } from "../integrity/left-out.ts";
import { hidesTest, type Tampering } from "../integrity/tampering.ts";
import type { RangeRule } from "./evidence-rule.ts";
import {
  BY_COMPUTING,
  changedSince,
  closedAt,
  computedOf,
  counted,
  rangeFinding,
  reopenedAt,
  tasksSince,
} from "./range-finding.ts";

/** Tests that vanished or can no longer fail, although the plan does not ask for it; one finding per file. */
export const hidden: RangeRule = {
  kind: "hidden",
  role: "reviewer",
  mayChangeTests: false,
  restoresTests: true,

  describe({ changed: { tampering, omittedCount, uncompared } }) {
    const omitted =
      omittedCount === 0 ? "" : `${String(omittedCount)} more files were not compared.`;
    const seen =
      tampering.length === 0
        ? ""
        : `wisp compared the tests of this range, and their settings, with those before it:\n${describeTampering(tampering)}`;
    // The beginning is never cut off.
    const unknown =
      uncompared.length === 0 ? "" : `${uncomparedWords(uncompared)}. Look at these yourself.`;
    return [unknown, seen, omitted].filter((each) => each !== "").join("\n");
  },

  find({ changed: { tampering }, tasks, range }) {
    const unasked = tampering.filter(
      (each) => hidesTest(each) && !isAskedFor(tasks, { file: each.file, titles: [each.what] }),
    );
    return [...groupedBy(unasked, ({ file }) => file)].map(([file, all]) => {
      const count = counted(all.length, "test");
      return rangeFinding({
        of: "hidden",
        range,
        file,
        // A deleted test has no line.
        line: all.find(({ kind }) => kind !== "deleted")?.line,
        anchor: `hidden ${all.map(({ kind, what }) => `${kind} ${what}`).join(", ")}`,
        brief: `${count} of ${file} ${all.length === 1 ? "was" : "were"} deleted, skipped or emptied`,
        issue: `What happened since ${abbreviate(range.start)}, which the plan does not ask for:\n${describeTampering(all)}`,
        suggestion: `Put the tests back as they were. ${BY_COMPUTING}`,
      });
    });
  },

  /** A test that was restored but checks less still counts as changed. */
  async findAgain(context, state, again) {
    const { item, at } = again;
    const then = await changedSince(context, again, computedOf(again).end);
    const found = then.tampering.filter((each) => hidesTest(each) && each.file === item.file);
    const tasks = tasksSince(state, again);
    const { tampering, omittedCount, uncompared } = await changedSince(context, again, at);
    if (omittedCount > then.omittedCount || uncompared.length > then.uncompared.length) {
      return { kind: "failed", reason: "more test files have changed since than are compared" };
    }
    const remaining = tampering.filter(
      (each) =>
        (hidesTest(each) || each.kind === "weakened") &&
        found.some((other) => testOf(other) === testOf(each)) &&
        !isAskedFor(tasks, { file: each.file, titles: [each.what] }),
    );
    if (remaining.length === 0) return closedAt(at, "the tests are there as they were");
    return reopenedAt(at, describeTampering(remaining));
  },
};

/** The identity of a test: its file and name at the start of the range. */
function testOf({ file, what, was = { file, what } }: Tampering): string {
  return JSON.stringify([was.file, was.what]);
}
