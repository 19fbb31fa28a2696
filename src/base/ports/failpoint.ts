/** Called with the name of each point that this process passes. */
export type PointPassed = (name: string) => void;

let pointPassed: PointPassed | undefined;

/**
 * A point at which a test may end this process: it stands right before and right after each effect on
 * the world (`rename.before`, `git.fetch.after`), in `src/host` and `src/git`. Nothing in ordinary runs.
 */
export function failpoint(name: string): void {
  pointPassed?.(name);
}

/** From now on `passed` is called at each point; `undefined` ends that. */
export function onFailpoint(passed: PointPassed | undefined): void {
  pointPassed = passed;
}
