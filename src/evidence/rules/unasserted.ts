import { abbreviate } from "../../base/oid.ts";
import { groupedBy } from "../integrity/failed-tests.ts";
import type { TestCase } from "../integrity/test-case.ts";
import type { RangeRule } from "./evidence-rule.ts";
import {
  changedSince,
  closedAt,
  computedOf,
  counted,
  rangeFinding,
  reopenedAt,
} from "./range-finding.ts";

/**
 * New tests that check nothing; one finding per file. Their level is warning: no protection was lost, and the patterns
 * may have missed a check.
 */
export const unasserted: RangeRule = {
  kind: "unasserted",
  role: "reviewer",
  mayChangeTests: true,
  restoresTests: false,

  describe: () => "",

  find({ changed, range }) {
    return [...groupedBy(changed.unasserted, ({ file }) => file)].map(([file, all]) => {
      const names = all.map(nameOf);
      const few = names.slice(0, NAMES_MAX).map((name) => `- ${name}`);
      const verb = all.length === 1 ? "checks" : "check";
      return rangeFinding({
        of: "unasserted",
        range,
        level: "warning",
        file,
        line: all[0]?.line,
        anchor: `unasserted ${names.join(", ")}`,
        brief: `${counted(all.length, "new test")} of ${file} ${verb} nothing`,
        issue: `No assertion was found in what was added since ${abbreviate(range.start)}: it passes whatever the code does.\n${few.join("\n")}`,
        suggestion: "Say in each of them what has to come of it, or take it out.",
      });
    });
  },

  /** A test that was deleted no longer counts. */
  async findAgain(context, _state, again) {
    const { item, at } = again;
    const then = await changedSince(context, again, computedOf(again).end);
    const names = then.unasserted.filter(({ file }) => file === item.file).map(nameOf);
    const now = await changedSince(context, again, at);
    const remaining = now.unasserted.filter(
      (each) => each.file === item.file && names.includes(nameOf(each)),
    );
    if (remaining.length === 0) return closedAt(at, "none of the tests checks nothing any more");
    return reopenedAt(at, remaining.map((each) => `- ${nameOf(each)} checks nothing`).join("\n"));
  },
};

const NAMES_MAX = 20;

function nameOf({ path }: TestCase): string {
  return path.join(" > ");
}
