import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { onFailpoint } from "../../src/base/ports/failpoint.ts";
import { ok } from "../../src/base/result.ts";
import { appendSealed } from "../../src/host/files/append-sealed.ts";
import { createNodeFiles } from "../../src/host/files/node-files.ts";
import { openRegular } from "../../src/host/files/open-regular.ts";
import { createFile } from "../../src/host/files/write-atomically.ts";
import { startFixture } from "./child.ts";
import { compiledFixture } from "./compiled.ts";
import { scratch } from "./scratch.ts";

const files = createNodeFiles();

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function text(result: { readonly ok: boolean; readonly value?: Uint8Array | undefined }): string {
  return new TextDecoder().decode(result.value);
}

test("lines are appended in order, also when the log is new", () => {
  using directory = scratch();
  const path = directory.at("a.log");
  expect(files.append(path, bytes("one\n"))).toEqual({ ok: true, value: undefined });
  expect(files.append(path, bytes("two\nthree\n"))).toEqual({ ok: true, value: undefined });
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n");
});

test("a torn tail is sealed, not joined with the next line", () => {
  using directory = scratch();
  const path = directory.at("a.log");
  writeFileSync(path, "whole|a|b\nm");
  files.append(path, bytes("m2|c|d\n"));
  expect(readFileSync(path, "utf8")).toBe("whole|a|b\nm |torn\nm2|c|d\n");
});

test("a tail torn between two appends of the same process is sealed too", () => {
  using directory = scratch();
  const path = directory.at("a.log");
  files.append(path, bytes("one\n"));
  writeFileSync(path, "tor", { flag: "a" });
  files.append(path, bytes("two\n"));
  expect(readFileSync(path, "utf8")).toBe("one\ntor |torn\ntwo\n");
});

test("a short write is sealed and reported", () => {
  using directory = scratch();
  const path = directory.at("a.log");
  const opened = openRegular(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
  expect(opened.ok).toBe(true);
  if (!opened.ok) return;
  let writes = 0;
  const shortAtFirst = (fd: number, some: Uint8Array) =>
    writeSync(fd, writes++ === 0 ? some.subarray(0, 3) : some);
  expect(appendSealed(opened.value.fd, bytes("record\n"), shortAtFirst)).toEqual({
    ok: false,
    failure: "EIO",
  });
  expect(readFileSync(path, "utf8")).toBe("rec |torn\n");
});

test("a full disk costs no line that was reported as written", async () => {
  using directory = scratch();
  const path = directory.at("a.log");
  // The limit of the file size simulates a full disk: the write that reaches it is short.
  const program = [process.execPath, compiledFixture("append-until-full.js"), path];
  const output = execFileSync("sh", ["-c", 'ulimit -f 4; exec "$@"', "sh", ...program], {
    encoding: "utf8",
  });
  expect(output).toContain('"errno":"EFBIG"');
  const count = Number(/"count":(\d+)/.exec(output)?.[1]);
  expect(statSync(path).size % 100).not.toBe(0);
  files.append(path, bytes("after\n"));
  const lines = readFileSync(path, "utf8").split("\n");
  expect(lines.filter((line) => line.length === 99)).toHaveLength(count);
  expect(lines.slice(-2)).toEqual(["after", ""]);
});

test("lines of several processes that append to one file stay whole", async () => {
  using directory = scratch();
  const path = directory.at("a.log");
  const writers = ["a", "b", "c"].map((letter) =>
    startFixture("append-many.js", path, letter, "100"),
  );
  await Promise.all(writers.map((writer) => writer.ended));
  // A process that reads the end during another's write takes it for torn and adds a seal.
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "" && line !== " |torn");
  expect(lines).toHaveLength(300);
  expect(lines.every((line) => /^(a{5000}|b{5000}|c{5000})$/.test(line))).toBe(true);
});

test("a log that was deleted or replaced meanwhile is reopened", () => {
  using directory = scratch();
  const path = directory.at("a.log");
  files.append(path, bytes("old\n"));
  unlinkSync(path);
  files.append(path, bytes("new\n"));
  expect(readFileSync(path, "utf8")).toBe("new\n");
  writeFileSync(directory.at("b.log"), "other\n");
  renameSync(directory.at("b.log"), path);
  files.append(path, bytes("last\n"));
  expect(readFileSync(path, "utf8")).toBe("other\nlast\n");
});

test("more logs can be appended to than are kept open", () => {
  using directory = scratch();
  const names = Array.from({ length: 40 }, (_, index) => `${index}.log`);
  for (const line of ["one\n", "two\n"]) {
    for (const name of names) expect(files.append(directory.at(name), bytes(line)).ok).toBe(true);
  }
  expect(names.map((name) => readFileSync(directory.at(name), "utf8"))).toEqual(
    names.map(() => "one\ntwo\n"),
  );
});

test("appending where there is no directory is a failure, not an exception", () => {
  using directory = scratch();
  const path = directory.at("none/a.log");
  expect(files.append(path, bytes("line\n"))).toEqual({
    ok: false,
    failure: { kind: "file", operation: "append", path, errno: "ENOENT" },
  });
});

test("a symbolic link is neither read nor written through", () => {
  using directory = scratch();
  writeFileSync(directory.at("victim"), "secret\n");
  const path = directory.at("a.log");
  symlinkSync(directory.at("victim"), path);
  const refused = { ok: false, failure: { errno: "ELOOP" } };
  expect(files.append(path, bytes("line\n"))).toMatchObject(refused);
  expect(files.read(path)).toMatchObject(refused);
  expect(files.readChunk(path, 0, 10)).toMatchObject(refused);
  expect(files.create(path, bytes("mine\n"))).toMatchObject({ failure: { errno: "EEXIST" } });
  expect(readFileSync(directory.at("victim"), "utf8")).toBe("secret\n");
});

test("replacing a symbolic link replaces the link, and removing it removes the link", () => {
  using directory = scratch();
  writeFileSync(directory.at("victim"), "secret\n");
  const path = directory.at("file");
  symlinkSync(directory.at("victim"), path);
  expect(files.replace(path, bytes("mine\n")).ok).toBe(true);
  expect(lstatSync(path).isFile()).toBe(true);
  unlinkSync(path);
  symlinkSync(directory.at("victim"), path);
  expect(files.remove(path).ok).toBe(true);
  expect(readFileSync(directory.at("victim"), "utf8")).toBe("secret\n");
});

test("a FIFO in place of a file is refused at once", () => {
  using directory = scratch();
  const path = directory.at("a.log");
  execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", path]);
  const refused = { ok: false, failure: { errno: "ENXIO" } };
  expect(files.append(path, bytes("line\n"))).toMatchObject(refused);
  expect(files.read(path)).toMatchObject(refused);
  expect(files.readChunk(path, 0, 10)).toMatchObject(refused);
});

test("a directory in place of a file is refused", () => {
  using directory = scratch();
  const refused = { ok: false, failure: { errno: "EISDIR" } };
  expect(files.append(directory.path, bytes("line\n"))).toMatchObject(refused);
  expect(files.read(directory.path)).toMatchObject(refused);
  expect(files.replace(directory.path, bytes("line\n")).ok).toBe(false);
});

test("creating what exists changes nothing and leaves nothing behind", () => {
  using directory = scratch();
  const path = directory.at("plan.md");
  expect(files.create(path, bytes("first\n")).ok).toBe(true);
  expect(files.create(path, bytes("second\n"))).toEqual({
    ok: false,
    failure: { kind: "file", operation: "create", path, errno: "EEXIST" },
  });
  expect(readFileSync(path, "utf8")).toBe("first\n");
  expect(execFileSync("ls", ["-A", directory.path], { encoding: "utf8" })).toBe("plan.md\n");
});

test("creating is exclusive also on a file system without hard links", () => {
  using directory = scratch();
  const path = directory.at("plan.md");
  const noLinks = () => {
    throw Object.assign(new Error("not permitted"), { code: "EPERM" });
  };
  expect(createFile(path, bytes("first\n"), noLinks)).toEqual({ ok: true, value: undefined });
  expect(createFile(path, bytes("second\n"), noLinks)).toEqual({ ok: false, failure: "EEXIST" });
  expect(readFileSync(path, "utf8")).toBe("first\n");
});

test("a reader of the old file keeps it while it is replaced", () => {
  using directory = scratch();
  const path = directory.at("checkpoint");
  files.replace(path, bytes("old\n"));
  const before = files.stat(path);
  files.replace(path, bytes("newer\n"));
  expect(files.stat(path)?.inode).not.toBe(before?.inode);
  expect(files.stat(path)?.sizeBytes).toBe(6);
  expect(text(files.read(path))).toBe("newer\n");
});

test("names are listed in order, without temporary files of a crashed replace", () => {
  using directory = scratch();
  for (const name of ["b", "a", ".hidden", ".a.0123456789ab.tmp"]) {
    writeFileSync(directory.at(name), "");
  }
  expect(files.list(directory.path)).toEqual({ ok: true, value: [".hidden", "a", "b"] });
  expect(files.list(directory.at("none"))).toEqual({ ok: true, value: [] });
});

test("absent files read as absent and can be removed", () => {
  using directory = scratch();
  const path = directory.at("none");
  expect(files.read(path)).toEqual({ ok: true, value: undefined });
  expect(files.readChunk(path, 0, 10)).toMatchObject({ ok: true, value: { length: 0 } });
  expect(files.stat(path)).toBeUndefined();
  expect(files.remove(path)).toEqual({ ok: true, value: undefined });
});

test("a chunk ends where the file ends, and past it there is nothing", () => {
  using directory = scratch();
  const path = directory.at("a.log");
  writeFileSync(path, "0123456789");
  expect(text(files.readChunk(path, 2, 3))).toBe("234");
  expect(text(files.readChunk(path, 8, 100))).toBe("89");
  expect(text(files.readChunk(path, 10, 100))).toBe("");
  expect(text(files.readChunk(path, 11, 100))).toBe("");
});

test("a file above the bound is not read", () => {
  using directory = scratch();
  const path = directory.at("request.md");
  writeFileSync(path, "12345");
  expect(files.read(path, 4)).toMatchObject({ ok: false, failure: { errno: "EFBIG" } });
  expect(text(files.read(path, 5))).toBe("12345");
});

test("files, directories and all new parents are accessible only to the owner", () => {
  using directory = scratch();
  const deep = directory.at("a/b/c");
  expect(files.makeDirectory(deep)).toEqual({ ok: true, value: undefined });
  expect(files.makeDirectory(deep)).toEqual({ ok: true, value: undefined });
  const made = ["a", "a/b", "a/b/c"].map((name) => statSync(directory.at(name)).mode & 0o777);
  expect(made).toEqual([0o700, 0o700, 0o700]);
  files.append(directory.at("a.log"), bytes("line\n"));
  files.replace(directory.at("b"), bytes("x"));
  files.create(directory.at("c"), bytes("x"));
  const modes = ["a.log", "b", "c"].map((name) => statSync(directory.at(name)).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600, 0o600]);
});

test("a scratch directory is made like any other, with its parents, but not made durable", () => {
  using directory = scratch();
  const passed = new Set<string>();
  onFailpoint((name) => passed.add(name));
  onTestFinished(() => onFailpoint(undefined));
  for (let round = 0; round < 2; round++)
    expect(files.makeScratchDirectory(directory.at("a/b"))).toEqual(ok(undefined));
  expect([passed.has("mkdir.after"), passed.has("fsync.before")]).toEqual([true, false]);
  expect(files.makeDirectory(directory.at("a/b/c"))).toEqual(ok(undefined));
  expect(passed.has("fsync.before")).toBe(true);
  const made = ["a", "a/b"].map((name) => statSync(directory.at(name)).mode & 0o777);
  expect(made).toEqual([0o700, 0o700]);
});

test("a symbolic link or a file in place of a directory is refused", () => {
  using directory = scratch();
  mkdirSync(directory.at("elsewhere"));
  symlinkSync(directory.at("elsewhere"), directory.at("link"));
  writeFileSync(directory.at("file"), "");
  expect(files.makeDirectory(directory.at("link"))).toMatchObject({ failure: { errno: "ELOOP" } });
  expect(files.makeScratchDirectory(directory.at("link"))).toMatchObject({
    failure: { operation: "make-directory", errno: "ELOOP" },
  });
  expect(files.list(directory.at("link"))).toMatchObject({ failure: { errno: "ELOOP" } });
  expect(files.makeDirectory(directory.at("file")).ok).toBe(false);
  expect(files.makeScratchDirectory(directory.at("file")).ok).toBe(false);
  expect(readlinkSync(directory.at("link"))).toBe(directory.at("elsewhere"));
});

test("a file with two names is one file: later writes appear under both", () => {
  using directory = scratch();
  const [path, other] = [directory.at("a.md"), directory.at("b.md")];
  const fd = openSync(path, "w");
  expect(files.link(path, other)).toMatchObject({ ok: true });
  expect(files.stat(other)).toEqual(files.stat(path));
  expect(files.replace(path, bytes("own\n"))).toMatchObject({ ok: true });
  writeSync(fd, "typed\n");
  closeSync(fd);
  expect(readFileSync(path, "utf8")).toBe("own\n");
  expect(readFileSync(other, "utf8")).toBe("typed\n");
  expect(files.link(path, other)).toMatchObject({ failure: { errno: "EEXIST" } });
  expect(files.link(directory.at("none"), directory.at("c.md"))).toMatchObject({
    failure: { operation: "link", errno: "ENOENT" },
  });
});

test("nothing but a regular file gets a second name", () => {
  using directory = scratch();
  writeFileSync(directory.at("a.md"), "");
  symlinkSync(directory.at("a.md"), directory.at("link"));
  execFileSync("mkfifo", [directory.at("pipe")]);
  for (const [name, errno] of [
    ["link", "ELOOP"],
    ["pipe", "ENXIO"],
    [".", "EISDIR"],
  ] as const) {
    const linked = files.link(directory.at(name), directory.at("second"));
    expect(linked).toMatchObject({ failure: { errno } });
  }
  expect(existsSync(directory.at("second"))).toBe(false);
});

test("a replacement that is cancelled at the last moment leaves the file unchanged, and no other file", () => {
  using directory = scratch();
  const path = directory.at("a.md");
  writeFileSync(path, "old\n");
  expect(() =>
    files.replace(path, bytes("new\n"), () => {
      // The whole new file is on the disk by now.
      expect(readdirSync(directory.path)).toHaveLength(2);
      throw new Error("not now");
    }),
  ).toThrow("not now");
  expect(readFileSync(path, "utf8")).toBe("old\n");
  expect(readdirSync(directory.path)).toEqual(["a.md"]);
});
