/** Short enough for a folder name, a branch name and a distinguishing number on one line. */
export const SLUG_CHARS_MAX = 60;

const WISP_PREFIX = /^wisp\//;

/**
 * Converts text to a name for a folder and a branch: lowercase ASCII letters, digits and single
 * hyphens, at most `SLUG_CHARS_MAX`. So it is never `..`, hidden, an option, or ambiguous on a
 * case-insensitive file system. Empty if no usable character is left.
 */
export function slugOf(text: string): string {
  const words = text
    // Accents are removed first, so that `Café` becomes `cafe`.
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return trimHyphens(trimHyphens(words).slice(0, SLUG_CHARS_MAX));
}

/** The id of a session on `branch`, if it is free. */
export function sessionIdOfBranch(branch: string): string {
  const slug = slugOf(branch.replace(WISP_PREFIX, ""));
  return slug === "" ? "session" : slug;
}

/** The n-th name to try: `api`, `api-2`, `api-3`, … */
export function numberedName(slug: string, number: number): string {
  if (number === 1) return slug;
  const suffix = `-${String(number)}`;
  return `${trimHyphens(slug.slice(0, SLUG_CHARS_MAX - suffix.length))}${suffix}`;
}

function trimHyphens(text: string): string {
  return text.replace(/^-+/, "").replace(/-+$/, "");
}
