/**
 * Whether a decoded value still holds everything that the original has: each key, at any depth, and
 * each element of a list. The values themselves may differ, since codecs convert them. A key whose
 * value is undefined does not count.
 */
export function holdsAllOf(decoded: unknown, original: unknown): boolean {
  if (typeof original !== "object" || original === null) return true;
  if (typeof decoded !== "object" || decoded === null) return false;
  if (Array.isArray(original) && (!Array.isArray(decoded) || decoded.length !== original.length))
    return false;
  const read = new Map<string, unknown>(Object.entries(decoded));
  return Object.entries(original).every(
    ([key, value]) => value === undefined || (read.has(key) && holdsAllOf(read.get(key), value)),
  );
}
