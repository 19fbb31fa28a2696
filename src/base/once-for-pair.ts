/**
 * Returns `compute` so that it runs once for two objects that never change, however often it is asked. The objects
 * themselves are compared, so a value that is computed anew counts as another one. For each first object, what was
 * computed with the last second one is remembered, as long as the first exists.
 */
export function onceForPair<A extends object, B extends object, T>(
  compute: (first: A, second: B) => T,
): (first: A, second: B) => T {
  const known = new WeakMap<A, { readonly second: B; readonly value: T }>();
  return (first, second) => {
    const found = known.get(first);
    if (found?.second === second) return found.value;
    const value = compute(first, second);
    known.set(first, { second, value });
    return value;
  };
}
