/**
 * Failures of the outside world are returned, not thrown: a `Result` holds a value or a failure with its `kind`. A
 * failure that a command may end with is a `Refusal`, which has its own wording and exit code (`failure.ts`).
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
