/**
 * Strips emphasis marks from the text after a heading's label, such as `Milestone 2:` or `US-001:`,
 * if they opened before the label. They may close before the separator (`**US-001**: x`), after it
 * (`**US-001:** x`) or at the end (`**US-001: x**`). Marks that belong to the text itself stay.
 */
export function withoutEmphasis(
  rest: string,
  { open, isClosed }: { readonly open: string; readonly isClosed: boolean },
): string {
  if (open === "" || isClosed) return rest;
  const text = rest.trim();
  if (text.startsWith(open)) return text.slice(open.length);
  return text.endsWith(open) ? text.slice(0, -open.length) : rest;
}
