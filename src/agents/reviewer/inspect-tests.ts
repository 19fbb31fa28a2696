import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { Attempted } from "../../work/unit.ts";
import { checkTests } from "../../evidence/integrity/check-tests.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { Range } from "./plan-review.ts";

/** The reviewer that gets wisp's evidence about tests, and under whose name wisp records its own findings. */
export const TESTS_REVIEWER = "tests";

/** What wisp itself computed about the tests of a range. */
export interface TestInspection {
  /** For the prompt; empty if there is none. */
  readonly evidence: string;
  /** What is certain enough to be recorded as a finding without asking an engine. */
  readonly findings: readonly Finding[];
  /** What people should know of it; no engine is told. */
  readonly notes: readonly string[];
}

export const NO_TEST_EVIDENCE: TestInspection = { evidence: "", findings: [], notes: [] };

/**
 * Compares the tests before and after the range of a milestone. Returns nothing for single commits, whose tests are
 * inspected with their milestone. Uses the role's first clone, in which no turn may run meanwhile.
 */
export async function inspectTests(
  context: RoleContext<"reviewer">,
  state: SessionState,
  { unit, purpose, start, at, about }: Range,
): Promise<Attempted<TestInspection>> {
  if (purpose === "review-commit") return { kind: "done", value: NO_TEST_EVIDENCE };
  const planned = state.builder.plan.find(({ name }) => name === about.milestone);
  const tasks = planned?.tasks ?? [];
  const m = about.milestone ?? "";
  const inspected = await checkTests(context, state, { unit, start, end: at, m, tasks });
  if (inspected.kind !== "checked") return inspected;
  const { evidence, findings, notes } = inspected;
  return { kind: "done", value: { evidence, findings, notes } };
}
