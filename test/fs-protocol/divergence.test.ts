import fc from "fast-check";
import { expect, test } from "vitest";
import { ok } from "../../src/base/result.ts";
import { decodeDivergence, encodeDivergence } from "../../src/fs-protocol/divergence.ts";

test("a line of CHANGES.md is known for what it is, whatever a model said", () => {
  const words = fc.string({ unit: "grapheme", minLength: 1 }).map((text) => {
    return text.replace(/[\p{C}\p{Z}]/gu, "_");
  });
  fc.assert(
    fc.property(words, words, fc.option(words, { nil: undefined }), (what, reason, m) => {
      const time = "2026-11-20T12:04:00.000Z";
      const record = { kind: "divergence", time, unit: "build:One:1", what, reason, m } as const;
      const line = encodeDivergence("builder", record).replace(/\n$/, "");
      expect(decodeDivergence(line)).toEqual(ok("build:One:1"));
    }),
  );
  expect(decodeDivergence("- a note of a person's").ok).toBe(false);
});
