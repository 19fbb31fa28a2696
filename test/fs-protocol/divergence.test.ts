import fc from "fast-check";
import { expect, test } from "vitest";
import { ok } from "../../src/base/result.ts";
import { decodeDivergence, encodeDivergence } from "../../src/fs-protocol/records/divergence.ts";

test("recognizes a line of CHANGES.md, whatever a model wrote", () => {
  const words = fc.string({ unit: "grapheme", minLength: 1 }).map((text) => {
    return text.replace(/[\p{C}\p{Z}]/gu, "_");
  });
  fc.assert(
    fc.property(words, words, fc.option(words, { nil: undefined }), (what, reason, m) => {
      const time = "2026-11-20T12:04:00.000Z";
      const record = { kind: "divergence", time, unit: "build:One:1", what, reason, m } as const;
      for (const form of [undefined, 2] as const) {
        const line = encodeDivergence("builder", record, form).replace(/\n$/, "");
        expect(decodeDivergence(line)).toEqual(ok(line));
      }
    }),
  );
  expect(decodeDivergence("- a note of a person's").ok).toBe(false);
});

test("shows a line of CHANGES.md as sentences, without the unit key", () => {
  const record = {
    kind: "divergence",
    time: "2026-11-20T12:04:00.000Z",
    unit: "build:Options%20🚀:1",
    m: "Options 🚀",
    what: "The CLI takes one argument only",
    reason: "more would need a parser",
  } as const;
  expect(encodeDivergence("builder", record, 2)).toBe(
    '- 2026-11-20 12:04 UTC, builder, "Options 🚀": The CLI takes one argument only. Reason: more would need a parser.\n',
  );
});
