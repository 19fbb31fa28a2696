/** Something that comes after others. */
export interface Dependent {
  readonly id: string;
  /** Ids of those that come before it; unknown ids and its own are ignored. */
  readonly after: readonly string[];
}

export interface Sorted<T> {
  readonly items: readonly T[];
  /** Ids of the items that stood before one that they depend on. */
  readonly moved: readonly string[];
  /** Whether dependencies form a circle; of its items the first comes first. */
  readonly isCircular: boolean;
}

/**
 * Sorts items so that each comes after those that it depends on, and changes their order no more
 * than that requires: each place is taken by the first item in the given order that may come next.
 */
export function byDependencies<T extends Dependent>(given: readonly T[]): Sorted<T> {
  const known = new Set(given.map(({ id }) => id));
  const placed = new Set<string>();
  const left = [...given];
  const items: T[] = [];
  let isCircular = false;
  while (left.length > 0) {
    const free = left.findIndex(({ id, after }) =>
      after.every((other) => other === id || !known.has(other) || placed.has(other)),
    );
    isCircular ||= free === -1;
    for (const item of left.splice(Math.max(free, 0), 1)) {
      placed.add(item.id);
      items.push(item);
    }
  }
  return { items, moved: tooEarly(given), isCircular };
}

function tooEarly(given: readonly Dependent[]): readonly string[] {
  const places = new Map(given.map(({ id }, index) => [id, index]));
  return given
    .filter(({ after }, index) => after.some((other) => (places.get(other) ?? -1) > index))
    .map(({ id }) => id);
}
