/** An invariant that does not hold. */
export interface Broken {
  /** `I1` … `I20`, `L1` … `L5`. */
  readonly invariant: string;
  readonly what: string;
}

/** Returns `broken`, with the item, if a list contains an item twice. */
export function repeated(list: readonly string[], broken: Broken): Broken | undefined {
  if (new Set(list).size === list.length) return undefined;
  const twice = list.find((item, index) => list.indexOf(item) < index) ?? "";
  return { ...broken, what: `${broken.what}: ${twice}` };
}
