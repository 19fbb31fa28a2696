import picomatch from "picomatch";

/** Paths that a tester may commit to, by the session's globs; case-insensitive, dot files included. */
export function testPathMatcher(globs: readonly string[]): (path: string) => boolean {
  return picomatch([...globs], { dot: true, nocase: true });
}
