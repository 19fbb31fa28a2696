import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { CopiedLog } from "../../src/home/copied-log.ts";
import { SEAL } from "../../src/base/ports/files.ts";
import { createHost } from "../../src/host/host.ts";
import { scratch } from "../host/scratch.ts";
import { MemoryFiles } from "../rig/memory-files.ts";

const JOURNAL = "/session/logs/builder.log";
const COPY = "/state/builder/kept/builder.log";

const copiedLog = (files: MemoryFiles) =>
  new CopiedLog(files, {
    path: JOURNAL,
    copyPath: COPY,
    edits: {
      restore: (path, own) => {
        if (own !== undefined) files.replace(path, own);
        return undefined;
      },
    },
  });

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
])("%s at the end of the copy does not change the journal", (_, copy) => {
  const files = filesWith("one\ntwo\nthree\n", copy);
  expect(copiedLog(files).open()).toBeUndefined();
  expect(files.textOf(JOURNAL)).toBe("one\ntwo\nthree\n");
  expect(files.textOf(COPY)).toBe("one\ntwo\nthree\n");
});

test("a sealed fragment that is also in the journal stays in both", () => {
  const journal = `one\ntw${SEAL}`;
  const files = filesWith(journal, journal);
  expect(copiedLog(files).open()).toBeUndefined();
  expect(files.textOf(JOURNAL)).toBe(journal);
  expect(files.textOf(COPY)).toBe(journal);
});

test("an edited journal is restored from the copy", () => {
  const files = filesWith("one\nTWO\n", "one\ntwo\n");
  expect(copiedLog(files).open()).toMatchObject({ found: "edited" });
  expect(files.textOf(JOURNAL)).toBe("one\ntwo\n");
});

test("a failed read does not count as an edit: the journal is unchanged", () => {
  const files = filesWith("one\ntwo\nthree\n", "one\n");
  files.fault = (operation, path) => (operation === "read" && path === JOURNAL ? "EIO" : undefined);
  expect(() => copiedLog(files).open()).toThrow();
  files.fault = () => undefined;
  expect(files.textOf(JOURNAL)).toBe("one\ntwo\nthree\n");
  expect(copiedLog(files).open()).toBeUndefined();
  expect(files.textOf(COPY)).toBe("one\ntwo\nthree\n");
});

test("records that could not be copied still count as the role's own, and are copied once the disk works again", () => {
  const files = filesWith("", "");
  const kept = copiedLog(files);
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
  // The same process continues with another turn.
  write("two\n");
  expect(() => kept.check()).toThrow();
  expect(files.textOf(JOURNAL)).toBe("one\ntwo\n");
  // The full disk stored only half of the first line.
  files.write(COPY, "on");
  files.fault = () => undefined;
  expect(kept.check()).toBeUndefined();
  expect(files.textOf(JOURNAL)).toBe("one\ntwo\n");
  expect(files.textOf(COPY)).toBe("one\ntwo\n");
});

test("appended bytes that could not be read back still count as the role's own", () => {
  const files = filesWith("", "");
  const kept = copiedLog(files);
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

test("the seal of a torn line before an append counts as the role's own", () => {
  const files = filesWith("one\ntw", "one\n");
  const kept = copiedLog(files);
  expect(kept.open()).toBeUndefined();
  files.append(JOURNAL, Buffer.from("three\n"));
  kept.wrote(Buffer.from("three\n"));
  expect(kept.check()).toBeUndefined();
  expect(files.textOf(COPY)).toBe(`one\ntw${SEAL}three\n`);
});

/** Damage that another process may do to the copy while the role runs. */
const COPY_DAMAGES: readonly (readonly [string, (files: MemoryFiles) => void])[] = [
  ["removed", (files) => void files.remove(COPY)],
  ["emptied", (files) => files.write(COPY, "")],
  ["cut", (files) => files.cut(COPY, 5)],
  ["grown", (files) => files.write(COPY, `${files.textOf(COPY)}forged\n`)],
  ["altered", (files) => files.write(COPY, files.textOf(COPY).replace("one", "ONE"))],
];

/** A role that has written two records, of which one is not in the copy yet. */
function runningLog() {
  const files = filesWith("one\n", "");
  const kept = copiedLog(files);
  kept.open();
  const write = (line: string) => {
    files.append(JOURNAL, Buffer.from(line));
    kept.wrote(Buffer.from(line));
  };
  write("two\n");
  kept.flush();
  return { files, kept, write };
}

test.each(COPY_DAMAGES)(
  "if only the copy is %s while its role runs, it is restored and the log is unchanged",
  (_how, damage) => {
    const { files, kept, write } = runningLog();
    damage(files);
    write("three\n");
    kept.flush();
    expect(kept.check()).toBeUndefined();
    expect(files.textOf(JOURNAL)).toBe("one\ntwo\nthree\n");
    expect(files.textOf(COPY)).toBe("one\ntwo\nthree\n");
  },
);

test.each(COPY_DAMAGES)(
  "a foreign append to a log is removed, and nothing else, even if the copy was %s",
  (_how, damage) => {
    const { files, kept } = runningLog();
    damage(files);
    files.append(JOURNAL, Buffer.from("forged\n"));
    expect(kept.check()).toMatchObject({ found: "grown" });
    expect(files.textOf(JOURNAL)).toBe("one\ntwo\n");
    expect(files.textOf(COPY)).toBe("one\ntwo\n");
  },
);

test.each(COPY_DAMAGES.filter(([how]) => how !== "grown"))(
  "if a log was changed and its copy is %s, the role ends and restores nothing",
  (_how, damage) => {
    const { files, kept, write } = runningLog();
    damage(files);
    const copy = files.textOf(COPY);
    files.write(JOURNAL, "one\nforged\n");
    expect(() => kept.check()).toThrow(/EALTERED/);
    write("three\n");
    expect(() => {
      kept.flush();
      kept.check();
    }).toThrow(/EALTERED/);
    expect(files.textOf(JOURNAL)).toBe("one\nforged\nthree\n");
    expect(files.textOf(COPY).startsWith(copy)).toBe(true);
  },
);

test("a copy that is removed with its folder is recreated", () => {
  using directory = scratch();
  const { files } = createHost();
  const [journal, copyPath] = [directory.at("a.log"), directory.at("kept/a.log")];
  const kept = new CopiedLog(files, {
    path: journal,
    copyPath,
    edits: { restore: () => undefined },
  });
  mkdirSync(directory.at("kept"));
  kept.open();
  for (const line of ["one\n", "two\n"]) {
    files.append(journal, Buffer.from(line));
    kept.wrote(Buffer.from(line));
    kept.flush();
    rmSync(directory.at("kept"), { recursive: true });
  }
  files.append(journal, Buffer.from("three\n"));
  kept.wrote(Buffer.from("three\n"));
  kept.flush();
  expect(readFileSync(copyPath, "utf8")).toBe("one\ntwo\nthree\n");
});
