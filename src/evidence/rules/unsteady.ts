import { SPLIT_END_LOOKS } from "../../base/look-limits.ts";
import { abbreviate } from "../../base/oid.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { knownLooks, lookAlone, timesRed, type SplitTest } from "../look/try-splits.ts";
import { Repeats } from "../look/repeats.ts";
import { fileOfIdentity } from "../printed/test-identity.ts";
import type { FoundIn, RangeRule } from "./evidence-rule.ts";
import { closedAt, computedOf, rangeFinding, reopenedAt } from "./range-finding.ts";

/**
 * Tests that are red in one run and green in another one at the end of a range, and were always green at its start; one
 * finding per test. It is blocking if the test is red in half of its runs or more.
 */
export const unsteady: RangeRule = {
  kind: "unsteady",
  role: "reviewer",
  mayChangeTests: true,
  restoresTests: false,

  describe: () => "",

  find: ({ splits, range }) => unsteadyFindings(splits, range),

  /** Closed if the test passes in as many runs as showed that it is unsteady. */
  async findAgain(context, state, again) {
    const { at } = again;
    const [name = ""] = computedOf(again).names ?? [];
    const repeats = new Repeats(context);
    let looks = await knownLooks(context, state, { name, at });
    while (looks.green < SPLIT_END_LOOKS && looks.red + looks.unknown === 0) {
      const next = await lookAlone(context, state, { name, at, before: looks, repeats });
      if (next === "stopped") return { kind: "stopped" };
      looks = next;
    }
    if (looks.unknown > 0) return closedAt(at, `${name} cannot be run alone there`);
    const times = `${name} is red in ${timesRed(looks)} runs`;
    return looks.red > 0 ? reopenedAt(at, times) : closedAt(at, times);
  },
};

/** What is found of split tests. */
export function unsteadyFindings(splits: readonly SplitTest[], range: FoundIn): readonly Finding[] {
  return splits.flatMap((split) => findingOf(split, range) ?? []);
}

function findingOf({ name, seen, verdict }: SplitTest, range: FoundIn): Finding | undefined {
  if (verdict.kind === "before") return undefined;
  const isKnown = verdict.kind === "became";
  const at = abbreviate(range.end);
  const times = isKnown
    ? `It was run alone: at ${at} it is red in ${timesRed(seen.end)} runs, at ${abbreviate(range.start)} in ${timesRed(seen.start)}.`
    : `Whether it was so before is not known, since it does not run alone at ${verdict.at === "end" ? at : abbreviate(range.start)}.`;
  const finding = rangeFinding({
    of: "unsteady",
    range,
    level: isKnown && verdict.isOften ? "blocking" : "warning",
    file: fileOfIdentity(name),
    line: undefined,
    anchor: `unsteady ${name}`,
    brief: `${name} ${isKnown ? `became unsteady: ${timesRed(seen.end)}, before ${timesRed(seen.start)}` : "is unsteady"}`,
    issue: `${name} was red in one run of verify and green in another one at the same commit, ${at}. ${times}`,
    suggestion:
      "Find what it depends on besides the commit, such as time, order, chance or a shared resource, and take that away.",
  });
  const { computed } = finding;
  return computed === undefined
    ? finding
    : { ...finding, computed: { ...computed, names: [name] } };
}
