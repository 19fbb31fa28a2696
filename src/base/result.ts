/**
 * What the world may refuse is returned, not thrown: a `Result` holds a value or a failure that
 * carries its `kind`. What a command may end with is a
 * `Refusal`, which brings its words and its exit code (`failure.ts`).
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
