import { expect, test } from "vitest";
import { median, percentile, sum } from "../../bench/statistics.js";

test("the median of an even number of samples lies between the two in the middle", () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([9, 1, 5])).toBe(5);
});

test("samples are not reordered for whoever gave them", () => {
  const samples = [3, 1, 2];
  median(samples);
  percentile(samples, 0.5);
  expect(samples).toEqual([3, 1, 2]);
});

test("a percentile is a sample that really occurred, by nearest rank", () => {
  const samples = Array.from({ length: 100 }, (_, at) => at + 1);
  expect(percentile(samples, 0.99)).toBe(99);
  expect(percentile(samples, 0)).toBe(1);
  expect(percentile(samples, 1)).toBe(100);
});

test("no sample has no median, instead of a figure that looks measured", () => {
  expect(median([])).toBeNaN();
  expect(percentile([], 0.5)).toBeNaN();
  expect(sum([])).toBe(0);
});
