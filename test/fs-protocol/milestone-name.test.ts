import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodeKeyPart,
  decodeName,
  encodeKeyPart,
  encodeName,
} from "../../src/fs-protocol/tasks/milestone-name.ts";

const RUNS = 10_000;

/** Strings of every kind: all of Unicode, UTF-16 with lone surrogates, and parts of escapes. */
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map((units) => String.fromCharCode(...units)),
  fc.string({
    unit: fc.constantFrom(
      "%",
      "|",
      ":",
      ",",
      " ",
      "\n",
      "\r",
      "E",
      "D",
      "A",
      "0",
      "\ud83d",
      "\ude00",
    ),
  }),
  fc.string({
    unit: fc.constantFrom("\ud800", "\udbff", "\udc00", "\udfff", "%ED%A0%80", "\u202e"),
  }),
);

test("keeps an ordinary name as it is", () => {
  for (const name of ["API endpoints", "User API: models, routes", "Größe 🚀 日本", `../"q" 'r'`]) {
    expect(encodeName(name)).toBe(name);
  }
});

test("percent-encodes what would break a line of milestones.log or be invisible in a terminal", () => {
  expect(encodeName("a|b%c\nd\te\u202ef\u2028g\u001b[31m\ud800")).toBe(
    "a%7Cb%25c%0Ad%09e%E2%80%AEf%E2%80%A8g%1B[31m%ED%A0%80",
  );
});

test("a part of a unit key is one word without colon or comma", () => {
  expect(encodeKeyPart("User API: a,\u00a0b")).toBe("User%20API%3A%20a%2C%C2%A0b");
});

test("every string is read back from a line of milestones.log", () => {
  fc.assert(
    fc.property(anyText, (name) => {
      const encoded = encodeName(name);
      expect(encoded).not.toMatch(/[|\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      expect(decodeName(encoded)).toBe(name);
    }),
    { numRuns: RUNS },
  );
});

test("every string is read back from a unit key", () => {
  fc.assert(
    fc.property(anyText, (name) => {
      const encoded = encodeKeyPart(name);
      expect(encoded).not.toMatch(/[|:,\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      expect(decodeKeyPart(encoded)).toBe(name);
    }),
    { numRuns: RUNS },
  );
});

test("different names have different encodings", () => {
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      expect(encodeName(one) === encodeName(other)).toBe(one === other);
      expect(encodeKeyPart(one) === encodeKeyPart(other)).toBe(one === other);
    }),
    { numRuns: RUNS },
  );
});

test("refuses an invalid encoding", () => {
  for (const encoded of ["50%", "%zz", "%4", "a%", "%FF", "%C3", "%C3%28", "%E2%80", "%80"]) {
    expect(decodeName(encoded)).toBeUndefined();
    expect(decodeKeyPart(encoded)).toBeUndefined();
  }
});

test("any text decodes to a name or nothing, and never throws", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const name = decodeName(text);
      if (name !== undefined) expect(decodeName(encodeName(name))).toBe(name);
    }),
    { numRuns: RUNS },
  );
});

test("decodes escapes of ordinary characters by another writer", () => {
  expect(decodeName("API%20endpoints%c3%bc")).toBe("API endpointsü");
});
