/** Reads untrusted JSON: a place that is absent, or has another type, gives `undefined`. */

/** The value at a path of keys and list positions. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (typeof inner !== "object" || inner === null) return undefined;
    return Object.getOwnPropertyDescriptor(inner, step)?.value;
  }, value);
}

/** The text at a path. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** The number at a path. */
export function numberAt(
  value: unknown,
  ...path: readonly (string | number)[]
): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/** The members of the list at a path; empty if there is no list. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found: unknown = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}
