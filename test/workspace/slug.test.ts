import fc from "fast-check";
import { expect, test } from "vitest";
import {
  numberedName,
  sessionIdOfBranch,
  SLUG_CHARS_MAX,
  slugOf,
} from "../../src/workspace/slug.ts";

/** Any code points, lone surrogates included. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 200 })
  .map((points) => String.fromCodePoint(...points));

const SAFE = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/;

test.each([
  ["Durations of several parts", "durations-of-several-parts"],
  ["  RFC-12: `Café` & co.  ", "rfc-12-cafe-co"],
  ["../../etc/passwd", "etc-passwd"],
  ["..", ""],
  ["-rf --no-preserve-root", "rf-no-preserve-root"],
  ["\u001b[31mred\u001b[0m\nnext|line", "31mred-0m-next-line"],
  ["🎉 launch 🎉", "launch"],
  ["請求書", ""],
  ["CON", "con"],
])("%j becomes %j", (text, slug) => {
  expect(slugOf(text)).toBe(slug);
});

test("any text gives a slug that is a safe name for a folder and a branch", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const slug = slugOf(text);
      expect(slug).toMatch(SAFE);
      expect(slug.length).toBeLessThanOrEqual(SLUG_CHARS_MAX);
    }),
  );
});

test("a numbered slug stays safe and within the limit", () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z0-9-]{1,80}$/),
      fc.integer({ min: 1, max: 9999 }),
      (text, number) => {
        const name = numberedName(slugOf(text), number);
        expect(name.length).toBeLessThanOrEqual(SLUG_CHARS_MAX);
        expect(name.endsWith("-")).toBe(false);
      },
    ),
  );
});

test("sessions are numbered from the second on", () => {
  expect([1, 2, 3].map((number) => numberedName("api", number))).toEqual(["api", "api-2", "api-3"]);
});

test.each([
  ["wisp/api", "api"],
  ["feature/api", "feature-api"],
  ["a;touch${IFS}x", "a-touch-ifs-x"],
  ["wisp/請求書", "session"],
])("the session on branch %s is called %s", (branch, id) => {
  expect(sessionIdOfBranch(branch)).toBe(id);
});
