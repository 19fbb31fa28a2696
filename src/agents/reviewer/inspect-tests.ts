import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { Attempted } from "../work/unit.ts";
import { checkTests } from "../integrity/check-tests.ts";
import type { RoleContext } from "../work/role-context.ts";
import type { Range } from "./plan-review.ts";

/** The reviewer who is told what wisp saw of the tests, and whose findings the certain ones are. */
export const TESTS_REVIEWER = "tests";

/** What wisp itself saw of the tests of a range. */
export interface TestsSeen {
  /** For the prompt; empty: nothing. */
  readonly evidence: string;
  /** What is certain enough to be a finding by itself. */
  readonly findings: readonly Finding[];
}

export const NO_TESTS_SEEN: TestsSeen = { evidence: "", findings: [] };

/**
 * Looks at what the builder did to the tests in the range of a milestone; commits are looked at with
 * their milestone. Works in the role's first clone, in which no turn may run meanwhile.
 */
export async function inspectTests(
  context: RoleContext<"reviewer">,
  state: SessionState,
  { unit, purpose, start, at, about }: Range,
): Promise<Attempted<TestsSeen>> {
  if (purpose === "review-commit") return { kind: "done", value: NO_TESTS_SEEN };
  const planned = state.builder.plan.find(({ name }) => name === about.milestone);
  const tasks = planned?.tasks ?? [];
  const m = about.milestone ?? "";
  const looked = await checkTests(context, state, { unit, start, end: at, m, tasks });
  if (looked.kind === "stopped") return looked;
  const { evidence, findings } = looked;
  return { kind: "done", value: { evidence, findings } };
}
