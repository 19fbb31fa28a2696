/** Cuts a list into as few parts of at most `max` items as possible, as even as possible, in order. */
export function evenParts<T>(items: readonly T[], max: number): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / max);
  return Array.from({ length: count }, (_, index) =>
    items.slice(
      Math.round((index * items.length) / count),
      Math.round(((index + 1) * items.length) / count),
    ),
  );
}
