import fc from "fast-check";
import { expect, test } from "vitest";
import { mapBounded } from "../../src/work/map-bounded.ts";

/** Work that the test ends. */
function gates() {
  const open = new Map<number, (value: string | Error) => void>();
  const begun: number[] = [];
  const run = (item: number) => {
    begun.push(item);
    return new Promise<string>((resolve, reject) => {
      open.set(item, (value) => {
        if (typeof value === "string") resolve(value);
        else reject(value);
      });
    });
  };
  const end = async (item: number, value: string | Error) => {
    open.get(item)?.(value);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, run, end };
}

test("runs at most `max` at a time and keeps the order of the items", async () => {
  const { begun, run, end } = gates();
  const mapped = mapBounded([1, 2, 3], 2, run);
  expect(begun).toEqual([1, 2]);
  await end(2, "two");
  expect(begun).toEqual([1, 2, 3]);
  await end(3, "three");
  await end(1, "one");
  expect(await mapped).toEqual(["one", "two", "three"]);
});

test("starts nothing after a failure, and waits for what runs", async () => {
  const { begun, run, end } = gates();
  let settled = false;
  const mapped = mapBounded([1, 2, 3], 2, run).finally(() => {
    settled = true;
  });
  // Asserted below; until then a rejection must not end the process.
  mapped.catch(() => undefined);
  await end(1, new Error("no"));
  expect(settled).toBe(false);
  await end(2, "two");
  await expect(mapped).rejects.toThrow("no");
  expect(begun).toEqual([1, 2]);
});

test("every item is mapped once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer()), fc.integer({ min: 1, max: 5 }), async (items, max) => {
      const mapped = await mapBounded(items, max, (item) => Promise.resolve(item * 2));
      expect(mapped).toEqual(items.map((item) => item * 2));
    }),
  );
});
