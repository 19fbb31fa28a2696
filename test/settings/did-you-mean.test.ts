import { expect, test } from "vitest";
import { didYouMean } from "../../src/settings/config/did-you-mean.ts";

const KEYS = ["engine", "roles", "verify", "verifyTimeout", "setup", "fixRounds", "at"];

test.each([
  ["engin", "engine"],
  ["Engine", "engine"],
  ["verify_timeout", "verifyTimeout"],
  ["fix-rounds", "fixRounds"],
  ["role", "roles"],
  ["vreify", "verify"],
])("for %s, suggests %s", (word, meant) => {
  expect(didYouMean(word, KEYS)).toBe(meant);
});

test.each(["", "zzz", "publish", "x".repeat(50_000), "__proto__"])(
  "suggests nothing for a word that resembles no key (%#)",
  (word) => {
    expect(didYouMean(word, KEYS)).toBeUndefined();
  },
);
