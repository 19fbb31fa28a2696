import { REASON_CHARS_MAX } from "../../base/limits.ts";
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
  const { id, line } = prompt;
  if (key.kind === "escape") return changed(state, { prompt: undefined });
  if (key.kind !== "enter")
    return changed(state, { prompt: { ...prompt, line: editLine(line, key) } });
  const text = line.text.trim();
  if (text === "") return changed(state, {});
  if (text.length > REASON_CHARS_MAX) {
    const remark = `That is longer than ${String(REASON_CHARS_MAX)} characters.`;
    return changed(state, { remark });
  }
  return changed(state, { prompt: { kind: "sure", effect: { kind: "dismiss", id, why: text } } });
}

/** What is asked above the line in which the person writes why. */
export function reasonRows({ id }: ReasonPrompt, columns: number): readonly Row[] {
  return wrapSpan(span("ask", `Why is ${id} dismissed? Your reason goes on record.`), columns);
}

/** What is asked before something is decided. */
export function sureRows(effect: DecidingEffect, columns: number): readonly Row[] {
  return wrapSpan(span("ask", `${sureWords(effect)} (y/n) `), columns);
}

function sureWords({ id, why }: DecidingEffect): string {
  return `Dismiss ${id} for good, because: ${why}`;
}

/** What `y` does, in the hints. */
export function sureHint(_effect: DecidingEffect): string {
  return "y dismiss it";
}
