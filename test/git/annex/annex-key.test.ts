import { expect, test } from "vitest";
import { annexKeyIn, annexPaths } from "../../../src/git/annex/annex-key.ts";

/** As git-annex 10 named and kept it. */
const KEY = "SHA256E-s2000--a780a6669ad68e298a3051e75b080c5baa17e00bb1047be79c37226cc3efa0ae.bin";

test("content is looked for where git-annex keeps it", () => {
  expect(annexPaths("/r/.git", KEY)).toContain(`/r/.git/annex/objects/19/xj/${KEY}/${KEY}`);
});

test.each([
  [`.git/annex/objects/19/xj/${KEY}/${KEY}`, KEY],
  [`../../.git/annex/objects/19/xj/${KEY}/${KEY}`, KEY],
  [`/annex/objects/${KEY}\n`, KEY],
  ["/annex/objects/", undefined],
  ["see /annex/objects/x", undefined],
  [`/elsewhere/.git/annex/objects/${KEY}`, undefined],
])("%j names %s", (text, key) => {
  expect(annexKeyIn(text)).toBe(key);
});
