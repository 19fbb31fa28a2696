import { expect, test } from "vitest";
import { KeptLog } from "../../src/agents/kept-log.ts";
import { SEAL } from "../../src/base/files.ts";
import { MemoryFiles } from "../rig/memory-files.ts";

const JOURNAL = "/session/logs/builder.log";
const COPY = "/state/builder/kept/builder.log";

/** A journal with its copy, after a write to the copy that the disk cut short. */
function filesWith(journal: string, copy: string): MemoryFiles {
  const files = new MemoryFiles();
  files.write(JOURNAL, journal);
  files.write(COPY, copy);
  return files;
}

test.each([
  ["a fragment", "one\ntw"],
  ["a sealed fragment", `one\ntw${SEAL}`],
  ["two of them", `one\ntw${SEAL}t${SEAL}`],
])("%s at the end of the copy costs the journal nothing", (_, copy) => {
  const files = filesWith("one\ntwo\nthree\n", copy);
  expect(new KeptLog(files, JOURNAL, COPY).open()).toBeUndefined();
  expect(files.textOf(JOURNAL)).toBe("one\ntwo\nthree\n");
  expect(files.textOf(COPY)).toBe("one\ntwo\nthree\n");
});

test("a sealed fragment that the journal itself has is copied again, and stays", () => {
  const journal = `one\ntw${SEAL}`;
  const files = filesWith(journal, journal);
  expect(new KeptLog(files, JOURNAL, COPY).open()).toBeUndefined();
  expect(files.textOf(JOURNAL)).toBe(journal);
  expect(files.textOf(COPY)).toBe(journal);
});

test("what was edited in the journal is put back from the copy", () => {
  const files = filesWith("one\nTWO\n", "one\ntwo\n");
  expect(new KeptLog(files, JOURNAL, COPY).open()).toBe("edited");
  expect(files.textOf(JOURNAL)).toBe("one\ntwo\n");
});

test("a disk that fails to read is no edit: the journal is left as it is", () => {
  const files = filesWith("one\ntwo\nthree\n", "one\n");
  files.fault = (operation, path) => (operation === "read" && path === JOURNAL ? "EIO" : undefined);
  expect(() => new KeptLog(files, JOURNAL, COPY).open()).toThrow();
  files.fault = () => undefined;
  expect(files.textOf(JOURNAL)).toBe("one\ntwo\nthree\n");
  expect(new KeptLog(files, JOURNAL, COPY).open()).toBeUndefined();
  expect(files.textOf(COPY)).toBe("one\ntwo\nthree\n");
});
