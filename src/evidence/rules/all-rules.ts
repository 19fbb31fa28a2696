import type { Computed, Finding } from "../../fs-protocol/records/finding.ts";
import { baseTests } from "./base-tests.ts";
import { canary, CANARY_ID } from "./canary.ts";
import type { EndRule, EvidenceRule, RangeRule } from "./evidence-rule.ts";
import { fewer } from "./fewer.ts";
import { hidden } from "./hidden.ts";
import { harness, old } from "./old.ts";
import { redVerify } from "./red-verify.ts";
import { unasserted } from "./unasserted.ts";
import { unsteady } from "./unsteady.ts";

/** The rules by the names that records give them. The compiler asks for one of each kind. */
const COMPUTED = {
  hidden,
  unasserted,
  fewer,
  harness,
  old,
  verify: redVerify,
  "base-tests": baseTests,
  unsteady,
} as const satisfies Readonly<Record<Computed["of"], EvidenceRule>>;

const ALL: readonly EvidenceRule[] = [...Object.values(COMPUTED), canary];

/** The rules about a range, in the order in which their findings are listed. */
export const RANGE_RULES: readonly RangeRule[] = ALL.filter((rule) => rule.role === "reviewer");

/** The rules about the end of a session, in the order in which their findings are listed. */
export const END_RULES: readonly EndRule[] = ALL.filter((rule) => rule.role === "tester");

/** The rule that a finding follows from; undefined if an engine or a person found it. */
export function ruleOf({
  id,
  computed,
}: Pick<Finding, "id" | "computed">): EvidenceRule | undefined {
  if (computed !== undefined) return COMPUTED[computed.of];
  return id === CANARY_ID ? canary : undefined;
}
