/** Called with the name of each point that this process passes. */
export type PointPassed = (name: string) => void;

let pointPassed: PointPassed | undefined;

/**
 * A point at which a test can kill this process. There is one right before and right after each effect on the
 * outside world (`rename.before`, `git.fetch.after`), in `src/host` and `src/git`. Does nothing in ordinary runs.
 */
export function failpoint(name: string): void {
  pointPassed?.(name);
}

/** Calls `passed` at each point from now on; `undefined` stops that. */
export function onFailpoint(passed: PointPassed | undefined): void {
  pointPassed = passed;
}
