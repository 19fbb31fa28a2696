/**
 * Whether a value that a schema made of another still has everything that this said: each key of it, at
 * any depth, and each element of a list. Values may have become others, as codecs make them; a key
 * without a value says nothing.
 */
export function saysAll(made: unknown, said: unknown): boolean {
  if (typeof said !== "object" || said === null) return true;
  if (typeof made !== "object" || made === null) return false;
  if (Array.isArray(said) && (!Array.isArray(made) || made.length !== said.length)) return false;
  const read = new Map<string, unknown>(Object.entries(made));
  return Object.entries(said).every(
    ([key, value]) => value === undefined || (read.has(key) && saysAll(read.get(key), value)),
  );
}
