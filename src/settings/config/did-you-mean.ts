import { distance } from "fastest-levenshtein";

/** The element of `known` that `word` was probably meant to be, or undefined if none is similar. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const bare = plain(word);
  // No known word is this long, and the distance takes quadratic time.
  if (bare === "" || bare.length > 100) return undefined;
  const [nearest] = known
    .map((candidate) => ({ candidate, edits: distance(bare, plain(candidate)) }))
    .filter(({ candidate, edits }) => edits <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((one, other) => one.edits - other.edits);
  return nearest?.candidate;
}

/** `verify-timeout`, `verify_timeout` and `VerifyTimeout` are the same word to a person. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[-_\s]/g, "");
}
