import type { StuckHint } from "./builder-state.ts";

/** Renders `.stuck-hint.md` from the newest hint; undefined if the hint has no text. */
export function encodeStuckHint({ m, stalled, text }: StuckHint): string | undefined {
  if (text === undefined) return undefined;
  const count = stalled === 1 ? "1 attempt" : `${String(stalled)} attempts in a row`;
  return `# Stuck hint\n\nMilestone "${m}", after ${count} without progress.\n\n${text}\n`;
}
