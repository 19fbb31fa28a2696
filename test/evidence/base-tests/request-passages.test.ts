import fc from "fast-check";
import { expect, test } from "vitest";
import { requestPassages } from "../../../src/evidence/base-tests/request-passages.ts";
import { anyText } from "../../rig/arbitrary-text.ts";

test("each heading, list item and sentence is one passage, even across lines", () => {
  const request = `# Sums

Change the sums, which
are wrong. Leave \`test/a.test.js\` alone.
- [ ] Drop the cache
  and its file
* Keep the rest
1. First

> Quoted`;
  expect(requestPassages(request)).toEqual([
    "Sums",
    "Change the sums, which are wrong.",
    "Leave `test/a.test.js` alone.",
    "Drop the cache and its file",
    "Keep the rest",
    "First",
    "Quoted",
  ]);
});

test("the passages of any request are bounded and not empty", () => {
  fc.assert(
    fc.property(anyText, (request) => {
      const passages = requestPassages(request);
      expect(passages.length).toBeLessThanOrEqual(2_000);
      for (const passage of passages) expect(passage.length).toBeLessThanOrEqual(2_000);
      expect(passages).not.toContain("");
    }),
  );
});
