import { expect, test } from "vitest";
import { KeptLog } from "../../src/agents/kept-log.ts";
import { SEAL } from "../../src/base/files.ts";
import { MemoryFiles } from "../rig/memory-files.ts";

const JOURNAL = "/session/logs/builder.log";
const COPY = "/state/builder/kept/builder.log";

const keptLog = (files: MemoryFiles) =>
  new KeptLog(files, { path: JOURNAL, copyPath: COPY, keep: () => undefined });

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
  expect(keptLog(files).open()).toBeUndefined();
  expect(files.textOf(JOURNAL)).toBe("one\ntwo\nthree\n");
  expect(files.textOf(COPY)).toBe("one\ntwo\nthree\n");
});

test("a sealed fragment that the journal itself has is copied again, and stays", () => {
  const journal = `one\ntw${SEAL}`;
  const files = filesWith(journal, journal);
  expect(keptLog(files).open()).toBeUndefined();
  expect(files.textOf(JOURNAL)).toBe(journal);
  expect(files.textOf(COPY)).toBe(journal);
});

test("what was edited in the journal is put back from the copy", () => {
  const files = filesWith("one\nTWO\n", "one\ntwo\n");
  expect(keptLog(files).open()).toMatchObject({ found: "edited" });
  expect(files.textOf(JOURNAL)).toBe("one\ntwo\n");
});

test("a disk that fails to read is no edit: the journal is left as it is", () => {
  const files = filesWith("one\ntwo\nthree\n", "one\n");
  files.fault = (operation, path) => (operation === "read" && path === JOURNAL ? "EIO" : undefined);
  expect(() => keptLog(files).open()).toThrow();
  files.fault = () => undefined;
  expect(files.textOf(JOURNAL)).toBe("one\ntwo\nthree\n");
  expect(keptLog(files).open()).toBeUndefined();
  expect(files.textOf(COPY)).toBe("one\ntwo\nthree\n");
});

test("what could not be copied is the role's own all the same, and is copied when the disk takes it again", () => {
  const files = filesWith("", "");
  const kept = keptLog(files);
  expect(kept.open()).toBeUndefined();
  const write = (line: string) => {
    files.append(JOURNAL, Buffer.from(line));
    kept.wrote(Buffer.from(line));
  };
  write("one\n");
  files.fault = (operation, path) =>
    operation === "append" && path === COPY ? "ENOSPC" : undefined;
  expect(() => {
    kept.flush();
  }).toThrow();
  // Another turn of the same process goes on.
  write("two\n");
  expect(() => kept.check()).toThrow();
  expect(files.textOf(JOURNAL)).toBe("one\ntwo\n");
  // Half of the first line is what the full disk took.
  files.write(COPY, "on");
  files.fault = () => undefined;
  expect(kept.check()).toBeUndefined();
  expect(files.textOf(JOURNAL)).toBe("one\ntwo\n");
  expect(files.textOf(COPY)).toBe("one\ntwo\n");
});

test("what could not be read back after it was appended is the role's own all the same", () => {
  const files = filesWith("", "");
  const kept = keptLog(files);
  kept.open();
  files.append(JOURNAL, Buffer.from("one\n"));
  files.fault = (operation, path) => (operation === "read" && path === JOURNAL ? "EIO" : undefined);
  expect(() => {
    kept.wrote(Buffer.from("one\n"));
  }).toThrow();
  files.fault = () => undefined;
  files.append(JOURNAL, Buffer.from("forged\n"));
  expect(kept.check()).toMatchObject({ found: "grown" });
  expect(files.textOf(JOURNAL)).toBe("one\n");
  expect(files.textOf(COPY)).toBe("one\n");
});

test("the seal of a torn line before what was appended is the role's own", () => {
  const files = filesWith("one\ntw", "one\n");
  const kept = keptLog(files);
  expect(kept.open()).toBeUndefined();
  files.append(JOURNAL, Buffer.from("three\n"));
  kept.wrote(Buffer.from("three\n"));
  expect(kept.check()).toBeUndefined();
  expect(files.textOf(COPY)).toBe(`one\ntw${SEAL}three\n`);
});
