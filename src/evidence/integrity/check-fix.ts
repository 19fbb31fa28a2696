import { present } from "../../base/assert.ts";
import { need } from "../../base/fatal.ts";
import { fixesInSameTurn } from "../../session/state/builder-state.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { FixVerdict } from "../../fs-protocol/findings/findings-block.ts";
import { previousOf, type SessionState } from "../../session/state/session-state.ts";
import type { VerifyStep } from "../../session/steps/step.ts";
import type { Attempted } from "../../work/unit.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { ruleOf } from "../rules/all-rules.ts";
import { isAskedFor } from "./asked-for.ts";
import { changedTests } from "./changed-tests.ts";
import { uncomparedWords } from "./left-out.ts";
import { describeTampering } from "./describe-tampering.ts";
import { hidesTest } from "./tampering.ts";

/** An engine has to judge the fix; `evidence` is what wisp computed, for the prompt. */
export interface Asks {
  readonly kind: "asks";
  readonly evidence: string;
}

/**
 * Judges a fix, or a claim that there is nothing to fix, as far as wisp can do so itself. A finding that wisp
 * computed is judged entirely by computing it again at the fix; no engine is asked.
 */
export async function recomputeFinding(
  context: RoleContext<"reviewer">,
  state: SessionState,
  step: VerifyStep,
): Promise<Attempted<FixVerdict> | Asks> {
  const seen = await checkFix(context, state, step);
  const item = present(state.reviewer.items.get(step.fix.id), "an item of one's own is on record");
  const rule = ruleOf(item);
  // Only the tester computes items of the other rules.
  if (seen.kind !== "asks" || rule?.role !== "reviewer") return seen;
  const at = present(step.fix.sha, "a fix to judge names a commit");
  need(await (await context.clone()).syncTo(at));
  return rule.findAgain(context, state, { item, unit: step.unit, at });
}

/**
 * Checks what the fix of a finding did to tests. A fix that takes away tests which the finding does not mention
 * reopens it, whatever else it does. Otherwise the finding's opener decides, and its prompt lists what was done
 * to tests.
 */
export async function checkFix(
  context: RoleContext<"reviewer">,
  state: SessionState,
  { fix }: VerifyStep,
): Promise<Attempted<FixVerdict> | Asks> {
  if (fix.outcome !== "fixed") return { kind: "asks", evidence: "" };
  const end = present(fix.sha, "a fix to judge names a commit");
  const clone = await context.clone();
  need(await clone.syncTo(end));
  const range = { start: previousOf(state.branch, end), end };
  const { tampering, uncompared } = need(await changedTests(clone, range, context.session));
  // One commit fixes all findings of a batch, so a change that any of them asks for is allowed.
  const asked = [fix, ...fixesInSameTurn(state.builder, fix)].flatMap(({ id }) =>
    askedBy(state, id),
  );
  const hidden = tampering.filter(
    (each) => hidesTest(each) && !isAskedFor(asked, { file: each.file, titles: [each.what] }),
  );
  if (hidden.length > 0) {
    const reason = `the fix takes tests away: ${describeTampering(hidden)}`;
    return { kind: "done", value: { kind: "reopened", reason } };
  }
  const seen =
    tampering.length === 0
      ? ""
      : `wisp compared the tests with those before the fix:\n${describeTampering(tampering)}`;
  const evidence = [uncomparedWords(uncompared), seen].filter((each) => each !== "").join("\n");
  return { kind: "asks", evidence };
}

function askedBy({ reviewer }: SessionState, id: string): readonly string[] {
  const item = present(reviewer.items.get(id), "an item of one's own is on record");
  return mayAskToChangeTests(item) ? [textOfItem(item)] : [];
}

/** Whether a finding may ask for changes to tests: one of a rule only if the rule says so. */
export function mayAskToChangeTests(item: Pick<Finding, "id" | "computed">): boolean {
  return ruleOf(item)?.mayChangeTests ?? true;
}

/** The full text of a finding. */
export function textOfItem({ brief, issue, suggestion, file = "" }: Finding): string {
  return [brief, issue, suggestion, file].join("\n");
}
