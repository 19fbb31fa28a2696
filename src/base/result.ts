/**
 * What the world may refuse is returned, not thrown: a `Result` holds a value or a failure that
 * carries its `kind`. Words for people are made from failures in one place (`cli/explain.ts`).
 */
export type Result<T, F> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: F };

/** Wraps a success. */
export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** Wraps a failure. */
export function fail<F>(failure: F): { readonly ok: false; readonly failure: F } {
  return { ok: false, failure };
}
