import { ofAnyLanguage } from "../languages/all-languages.ts";
import type { Texts } from "./compare-tests.ts";

const COUNTS_CHECKS = ofAnyLanguage(({ checks }) => checks.countsChecks);

/** Whether a file's runner counts checks in its totals, not tests. */
export function countsChecks(text = ""): boolean {
  return COUNTS_CHECKS.test(text);
}

/** Whether a range took files from such a runner, so that totals before and after it count different things. */
export function isCountedAnew(before: Texts, after: Texts): boolean {
  return [...before].some(([path, text]) => countsChecks(text) && !countsChecks(after.get(path)));
}
