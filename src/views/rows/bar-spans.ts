import { span, type Span } from "./row.ts";

/** A progress bar of `cells` cells. It is full only if everything is done, and readable without colours. */
export function barSpans(
  { done, of }: { readonly done: number; readonly of: number },
  cells: number,
): readonly Span[] {
  const full = of === 0 ? 0 : Math.floor((Math.min(done, of) / of) * cells);
  return [span("good", "█".repeat(full)), span("faint", "░".repeat(cells - full))];
}
