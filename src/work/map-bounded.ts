import { assert } from "../base/assert.ts";

/**
 * Calls `run` for all items, at most `max` at a time, and returns the results in the order of the items. After a
 * failure no further call starts, and the failure is thrown once all running calls have ended.
 *
 * @param run also receives its lane, from 0 and below `max`; no two calls run in one lane at the same time
 */
export async function mapBounded<T, R>(
  items: readonly T[],
  max: number,
  run: (item: T, lane: number) => Promise<R>,
): Promise<readonly R[]> {
  assert(Number.isInteger(max) && max >= 1, "at least one item may run at a time");
  const results = new Map<number, R>();
  const failures: unknown[] = [];
  const rest = [...items.entries()].values();
  const work = async (lane: number) => {
    for (const [index, item] of rest) {
      if (failures.length > 0) return;
      results.set(index, await run(item, lane));
    }
  };
  const workers = Array.from({ length: Math.min(max, items.length) }, (_, lane) =>
    work(lane).catch((failure: unknown) => {
      failures.push(failure);
    }),
  );
  await Promise.all(workers);
  if (failures.length > 0) throw failures[0];
  return [...results].sort(([one], [other]) => one - other).map(([, result]) => result);
}
