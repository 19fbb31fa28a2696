import { expect, test } from "vitest";
import { lastLines, tailOf } from "../../../src/engines/run/output-tail.ts";
import { MemoryFiles } from "../../rig/memory-files.ts";

/** The last lines of an output, joined into one. */
function lastOf(text: string, count: number): string | undefined {
  const files = new MemoryFiles();
  const tail = tailOf(files, "/turn.err");
  files.replace("/turn.err", Buffer.from(text));
  return lastLines(tail, count);
}

test("joins the last lines of an output into one, without empty lines", () => {
  expect(lastOf("one\n\ntwo\nthree\n", 2)).toBe("two / three");
  expect(lastOf("\n \n", 2)).toBeUndefined();
});

test("a stack trace does not hide the error", () => {
  const attempt = (count: number) =>
    [
      `Attempt ${count} failed with status 429. Retrying with backoff... _ApiError: {"error":{}}`,
      ...Array.from({ length: 10 }, (_, at) => `    at async step${at} (chunk.js:${at}:1) {`),
      "  status: 429",
      "}",
      "",
    ].join("\n");
  expect(lastOf(attempt(1) + attempt(2), 3)).toBe(
    'Attempt 2 failed with status 429. Retrying with backoff... _ApiError: {"error":{}} /   status: 429 / }',
  );
});
