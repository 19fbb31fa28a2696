/** Lists of names for people end after this many. */
const NAMED_MAX = 5;

/** The first of some files by name, and how many more there are. */
export function named(files: readonly string[]): string {
  const few = files.slice(0, NAMED_MAX).join(", ");
  const more = files.length - NAMED_MAX;
  return more > 0 ? `${few} and ${String(more)} more` : few;
}

/** What people are told of a comparison from which something was left out; "" if nothing was. */
export function uncomparedWords(uncompared: readonly string[]): string {
  if (uncompared.length === 0) return "";
  return `wisp does not know whether a test was lost, because it could not compare all: ${uncompared.join("; ")}`;
}
