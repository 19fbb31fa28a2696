import picomatch from "picomatch";

/**
 * Matches the paths that a tester may commit to, by the session's globs; ignores case, and includes dot files.
 */
export function testPathMatcher(globs: readonly string[]): (path: string) => boolean {
  return picomatch([...globs], { dot: true, nocase: true });
}
