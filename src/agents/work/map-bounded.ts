import { assert } from "../../base/assert.ts";

/**
 * Runs `run` for all items, at most `max` at a time, and keeps their order. When one fails no further
 * one is begun, and the failure comes only after those that run have ended: nothing is left behind.
 *
 * @param run also told its lane: below `max`, and no other runs in it at the same time
 */
export async function mapBounded<T, R>(
  items: readonly T[],
  max: number,
  run: (item: T, lane: number) => Promise<R>,
): Promise<readonly R[]> {
  assert(Number.isInteger(max) && max >= 1, "at least one may run");
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
