import { expect, test } from "vitest";
import { whatAsksFor } from "../../../src/evidence/integrity/asked-for.ts";
import {
  fileOfIdentity,
  identityText,
  titlesOfIdentity,
  wordsForTest,
} from "../../../src/evidence/printed/test-identity.ts";

test("an identity is one line, without the parts that are not known", () => {
  const identity = { file: "test/a.js", path: ["a cart", "when\n  empty"], name: "is free" };
  expect(identityText(identity)).toBe("test/a.js > a cart > when empty > is free");
  expect(identityText({ ...identity, file: "", path: [] })).toBe("is free");
  expect(identityText({ ...identity, path: [], name: "" })).toBe("test/a.js");
});

test.each([
  [
    "test/a.js > a cart > is free",
    "test/a.js",
    "a cart > is free",
    ["is free", "a cart > is free"],
  ],
  ["a_test.py > test_m", "a_test.py", "test_m", ["test_m"]],
  [
    "example.com/m/sum > TestSum > of_none",
    "example.com/m/sum",
    "TestSum > of_none",
    ["of_none", "TestSum > of_none"],
  ],
  ["a cart > is free", undefined, "a cart > is free", ["is free", "a cart > is free"]],
  ["test/a.js", "test/a.js", "test/a.js", ["test/a.js"]],
  ["and/or > is free", "and/or", "is free", ["is free"]],
  ["adds", undefined, "adds", ["adds"]],
])("%s: its file, its titles, and what a person may call it", (text, file, titles, words) => {
  expect([fileOfIdentity(text), titlesOfIdentity(text), wordsForTest(text)]).toEqual([
    file,
    titles,
    words,
  ]);
});

test("a task asks for a test by its name, or in words of its titles, but not by a folder's name", () => {
  const identity = "packages/checkout/test/rules.test.js > a cart > refuses twenty";
  const asks = (task: string) =>
    whatAsksFor([task], { file: "test/rules.test.js", titles: wordsForTest(identity) });
  expect(asks(`Make "refuses twenty" pass`)).toBeDefined();
  expect(asks("Change what the cart refuses")).toBeDefined();
  expect(asks("Change how packages are sent at the checkout")).toBeUndefined();
});
