import { expect, test } from "vitest";
import { explainedFailure } from "../../src/work/explained-failure.ts";
import { MemoryFiles } from "../rig/memory-files.ts";

/** The failure found in an output; `before` is the file's content when the process started. */
function wordsOf(output: string, before = ""): string | undefined {
  const files = new MemoryFiles();
  files.replace("/logs/builder.out", Buffer.from(before + output));
  return explainedFailure(files, "/logs/builder.out", Buffer.byteLength(before));
}

test("returns the failure that a process explained last, and what to do about it", () => {
  const full = "wisp: a.log could not be written to: the disk is full (ENOSPC).\nMake room.\n";
  expect(wordsOf(`wisp: no file events (EMFILE)\nnoise\n${full}  wisp up\n`)).toBe(
    "a.log could not be written to: the disk is full (ENOSPC). Make room",
  );
});

test("ignores the failure of an earlier process", () => {
  expect(wordsOf("noise\n", "wisp: it broke.\n")).toBeUndefined();
  expect(wordsOf("")).toBeUndefined();
});

test("returns one bounded line that is safe to print", () => {
  expect(wordsOf("wisp: a\u001b[2Jb\rc\u202e\n")).toBe("ab c");
  expect(wordsOf(`wisp: ${"x".repeat(20_000)}\n`)).toBeUndefined();
  expect(wordsOf(`wisp: ${"x".repeat(5_000)}\n`)?.length).toBe(400);
});
