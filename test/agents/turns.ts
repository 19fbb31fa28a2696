import type { TurnOutcome } from "../../src/engines/engine.ts";

/** A turn that ended well and printed `text`. */
export function said(text: string, summary = ""): TurnOutcome {
  return { kind: "ended", status: "DONE", summary, text };
}

export const PASSED = said("### Verdict: PASSED\n\n### Findings\n\nNone\n");

/** A turn with one finding, or with one bug and its command. */
export function found(category: string, place: string, command?: string): TurnOutcome {
  return said(
    [
      "### Verdict: NEEDS_WORK",
      "### Findings",
      `1. **X-1**: ${category} - It is wrong`,
      `   - File: ${place}`,
      "   - Issue: It says the wrong thing.",
      "   - Suggestion: Say the right thing.\n",
      ...(command === undefined ? [] : [`   - Command: ${command}\n`]),
    ].join("\n\n"),
  );
}
