import { PLAN_DIGEST_SHOWN_CHARS, REASON_CHARS_MAX } from "../../base/limits.ts";
import { wrapSpan } from "../../views/rows/cells.ts";
import { span, type Row } from "../../views/rows/row.ts";
import type { Key } from "../key.ts";
import { editLine } from "../line-editor.ts";
import {
  changed,
  type DecidingEffect,
  type Pressed,
  type Prompt,
  type ScreenState,
} from "../screen-state.ts";

type ReasonPrompt = Extract<Prompt, { readonly kind: "reason" }>;

/** A key while the person writes why, which is then confirmed. */
export function writeReason(state: ScreenState, prompt: ReasonPrompt, key: Key): Pressed {
  const { line } = prompt;
  if (key.kind === "escape") return changed(state, { prompt: undefined });
  if (key.kind !== "enter") {
    return changed(state, { prompt: { ...prompt, line: editLine(line, key) } });
  }
  const text = line.text.trim();
  if (text === "") return changed(state, {});
  if (text.length > REASON_CHARS_MAX) {
    const remark = `That is longer than ${String(REASON_CHARS_MAX)} characters.`;
    return changed(state, { remark });
  }
  return changed(state, { prompt: { kind: "sure", effect: effectOf(prompt, text) } });
}

function effectOf({ act, id }: ReasonPrompt, text: string): DecidingEffect {
  return act === "dismiss" ? { kind: act, id, why: text } : { kind: act, plan: id, text };
}

/** What is asked above the line in which the person writes why. */
export function reasonRows({ act, id }: ReasonPrompt, columns: number): readonly Row[] {
  const question =
    act === "dismiss"
      ? `Why is ${id} dismissed? Your reason goes on record.`
      : "What is to change in this plan? The planner makes another one with your text.";
  return wrapSpan(span("ask", question), columns);
}

/** What is asked before something is decided. */
export function sureRows(effect: DecidingEffect, columns: number): readonly Row[] {
  return wrapSpan(span("ask", `${sureWords(effect)} (y/n) `), columns);
}

function sureWords(effect: DecidingEffect): string {
  switch (effect.kind) {
    case "dismiss":
      return `Dismiss ${effect.id} for good, because: ${effect.why}`;
    case "approve":
      return `Approve the plan with the digest ${shortDigest(effect.plan)}, and have it built?`;
    case "reject":
      return `Reject the plan with the digest ${shortDigest(effect.plan)}, with this text: ${effect.text}`;
  }
}

function shortDigest(plan: string): string {
  return plan.slice(0, PLAN_DIGEST_SHOWN_CHARS);
}

/** What `y` does, in the hints. */
export function sureHint({ kind }: DecidingEffect): string {
  return `y ${kind} it`;
}
