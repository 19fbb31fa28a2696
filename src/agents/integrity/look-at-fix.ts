import { present } from "../../base/assert.ts";
import { need } from "../../base/fatal.ts";
import { fixedBeside } from "../../session/state/builder-state.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { FixVerdict } from "../../fs-protocol/findings/findings-block.ts";
import { previousOf, type SessionState } from "../../session/state/session-state.ts";
import type { VerifyStep } from "../../session/steps/step.ts";
import type { Attempted } from "../work/unit.ts";
import type { RoleContext } from "../work/role-context.ts";
import type { Asks } from "../judge/verify-fix.ts";
import { isAskedFor } from "./asked-for.ts";
import { changedTests } from "./changed-tests.ts";
import { describeTampering } from "./describe-tampering.ts";
import { hidesTest } from "./tampering.ts";

/**
 * What wisp itself can say of the fix of a finding: one that takes tests away of which the finding says
 * nothing is none, whatever else it does. Otherwise its opener decides, and is told what was done to tests.
 */
export async function lookAtFix(
  context: RoleContext<"reviewer">,
  state: SessionState,
  { fix }: VerifyStep,
): Promise<Attempted<FixVerdict> | Asks> {
  if (fix.outcome !== "fixed") return { kind: "asks", evidence: "" };
  const end = present(fix.sha, "a fix to judge names a commit");
  const clone = await context.clone();
  need(await clone.syncTo(end));
  const range = { start: previousOf(state.branch, end), end };
  const { tampering } = need(await changedTests(clone, range, context.session));
  // One commit fixes all findings of a batch: what one of them asks for is no fault of the others.
  const asked = [fix, ...fixedBeside(state.builder, fix)].flatMap(({ id }) => askedBy(state, id));
  const hidden = tampering.filter(
    (each) => hidesTest(each) && !isAskedFor(asked, { file: each.file, titles: [each.what] }),
  );
  if (hidden.length > 0) {
    const reason = `the fix takes tests away: ${describeTampering(hidden)}`;
    return { kind: "done", value: { kind: "reopened", reason } };
  }
  if (tampering.length === 0) return { kind: "asks", evidence: "" };
  const evidence = `wisp compared the tests with those before the fix:\n${describeTampering(tampering)}`;
  return { kind: "asks", evidence };
}

function askedBy({ reviewer }: SessionState, id: string): readonly string[] {
  const item = present(reviewer.items.get(id), "an item of one's own is on record");
  return asksForMore(item) ? [askedByItem(item)] : [];
}

/** Whether a finding may ask for something to be done to tests: of what wisp computed most asks for them as they were. */
export function asksForMore({ computed }: Pick<Finding, "computed">): boolean {
  return computed === undefined || computed.of === "unasserted";
}

/** All that a finding says, as one text. */
export function askedByItem({ brief, issue, suggestion, file = "" }: Finding): string {
  return [brief, issue, suggestion, file].join("\n");
}
