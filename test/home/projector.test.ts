import { expect, test } from "vitest";
import { z } from "zod";
import { createJournal } from "../../src/work/journal.ts";
import { Projector, type Projection } from "../../src/home/projector.ts";
import { CannotGoOn } from "../../src/base/fatal.ts";
import { readSnapshot, type SnapshotPlace } from "../../src/fs-protocol/codec/snapshot-file.ts";
import { memoryPorts, type MemoryPorts } from "../agents/memory-ports.ts";

const Said = z.strictObject({
  kind: z.literal("said"),
  time: z.string(),
  path: z.string(),
  text: z.string(),
});

/** A role whose records contain the text and the path of each projection; paths below `/shared` are shared. */
function role(ports: MemoryPorts = memoryPorts()) {
  const journal = createJournal(ports, "/log", Said);
  const say = (text: string, path = "/own") => {
    journal.append({ kind: "said", time: journal.time(), path, text });
  };
  const project = ({ path, text }: z.infer<typeof Said>): readonly Projection[] => [{ path, text }];
  const projector = (place?: SnapshotPlace) =>
    new Projector({
      place,
      ...ports,
      path: "/log",
      schema: Said,
      empty: 0,
      reduce: (count) => count + 1,
      project,
      isShared: (path) => path.startsWith("/shared"),
    });
  return { ports, say, projector, textOf: (path = "/own") => ports.files.textOf(path) };
}

test("projections of new records are written once", async () => {
  const { say, projector, textOf } = role();
  const one = projector();
  await one.reconcile();
  say("a\n");
  await one.advance();
  await one.advance();
  say("b\n");
  say("c\n");
  await one.advance();
  expect(textOf()).toBe("a\nb\nc\n");
});

test("exactly the missing lines are appended at start", async () => {
  const { ports, say, projector, textOf } = role();
  for (const text of ["a\n", "b\n", "c\n"]) say(text);
  ports.files.write("/own", "a\nc\n");
  await projector().reconcile();
  expect(textOf()).toBe("a\nc\nb\n");
  await projector().reconcile();
  expect(textOf()).toBe("a\nc\nb\n");
});

test("equal lines are counted: one in the file does not count for two", async () => {
  const { ports, say, projector, textOf } = role();
  for (const text of ["a\n", "a\n", "a\n"]) say(text);
  ports.files.write("/own", "a\n");
  await projector().reconcile();
  expect(textOf()).toBe("a\na\na\n");
});

test("equal blocks of several lines are counted, too", async () => {
  const { ports, say, projector, textOf } = role();
  const block = "[Review]\nNone\n---\n\n";
  for (const text of [block, block]) say(text, "/own");
  ports.files.write("/own", `before\n${block}after\n`);
  await projector().reconcile();
  expect(textOf()).toBe(`before\n${block}after\n${block}`);
});

test("a block inside a longer line does not count as present", async () => {
  const { ports, say, projector, textOf } = role();
  say("b\nc\n");
  ports.files.write("/own", "ab\nc\n");
  await projector().reconcile();
  expect(textOf()).toBe("ab\nc\nb\nc\n");
});

test("a half-written line is written again completely, once", async () => {
  const { ports, say, projector, textOf } = role();
  for (const text of ["first\n", "second\n"]) say(text);
  ports.files.write("/own", "first\nsecond");
  await projector().reconcile();
  const lines = textOf().split("\n");
  expect(lines.slice(0, 1)).toEqual(["first"]);
  expect(lines.slice(-2)).toEqual(["second", ""]);
  await projector().reconcile();
  expect(textOf().split("\n")).toEqual(lines);
});

test("lines of other roles in a shared file are left alone", async () => {
  const { ports, say, projector, textOf } = role();
  say("mine\n", "/shared");
  ports.files.write("/shared", "theirs\n");
  await projector().reconcile();
  expect(textOf("/shared")).toBe("theirs\nmine\n");
});

test("only shared files are appended to under their lock", async () => {
  const { ports, say, projector } = role();
  const one = projector();
  say("a\n", "/own");
  say("b\n", "/shared");
  await one.reconcile();
  say("c\n", "/shared");
  await one.advance();
  expect(ports.locked).toEqual(["/shared", "/shared"]);
});

test("a failing disk ends the process, and the next process writes the missing lines", async () => {
  const { ports, say, projector, textOf } = role();
  const one = projector();
  await one.reconcile();
  say("a\n");
  ports.files.fault = (_, path) => (path === "/own" ? "ENOSPC" : undefined);
  await expect(one.advance()).rejects.toThrow(CannotGoOn);
  ports.files.fault = () => undefined;
  await projector().reconcile();
  expect(textOf()).toBe("a\n");
});

test("text that was removed from a file is restored with the next record", async () => {
  const { ports, say, projector, textOf } = role();
  const one = projector();
  await one.reconcile();
  for (const text of ["a\n", "b\n", "[Review]\nNone\n---\n\n"]) say(text, "/shared/own");
  await one.advance();
  ports.files.remove("/shared/own");
  ports.files.write("/shared/own", "theirs\nb\n");
  say("c\n", "/shared/own");
  await one.advance();
  expect(textOf("/shared/own")).toBe("theirs\nb\na\n[Review]\nNone\n---\n\nc\n");
});

test("replacing a journal by the same content writes nothing twice", async () => {
  const { ports, say, projector, textOf } = role();
  const one = projector();
  await one.reconcile();
  say("a\n");
  await one.advance();
  ports.files.replace("/log", ports.files.bytesOf("/log"));
  say("b\n");
  await one.advance();
  expect(textOf()).toBe("a\nb\n");
});

const PLACE: SnapshotPlace = { path: "/kept", key: () => "this", worthBytes: 1 };

/** A role whose comparison of two files with three records was kept. */
async function comparedRole() {
  const made = role();
  for (const text of ["a\n", "b\n"]) made.say(text);
  made.say("s\n", "/shared");
  // What is missing is written by the first, and compared by the second.
  await made.projector(PLACE).reconcile();
  await made.projector(PLACE).reconcile();
  expect(readSnapshot(made.ports.files, PLACE)).toBeDefined();
  return made;
}

test("after a kept comparison, only what came after it is compared: the rest is not read", async () => {
  const { ports, say, projector, textOf } = await comparedRole();
  say("a\n");
  say("c\n");
  const whole: string[] = [];
  const read = ports.files.read.bind(ports.files);
  ports.files.read = (path, ...rest) => {
    whole.push(path);
    return read(path, ...rest);
  };
  await projector(PLACE).reconcile();
  // The first `a` belongs to the beginning, and does not count for the second record of it.
  expect(textOf()).toBe("a\nb\na\nc\n");
  expect(whole).toEqual([PLACE.path]);
  await projector().reconcile();
  expect(textOf()).toBe("a\nb\na\nc\n");
});

test.each<readonly [string, string, (text: string) => string]>([
  ["cut", "/own", () => "a\n"],
  ["emptied", "/shared", () => ""],
  ["edited at the same length", "/own", () => "x\nb\n"],
  ["edited and grown", "/own", () => "x\nb\nmore\n"],
])("a file that was %s after it was compared is compared anew", async (_, path, change) => {
  const kept = await comparedRole();
  const anew = await comparedRole();
  for (const { ports, say, textOf } of [kept, anew]) {
    ports.files.write(path, change(textOf(path)));
    say("c\n");
  }
  await kept.projector(PLACE).reconcile();
  await anew.projector().reconcile();
  for (const each of ["/own", "/shared"]) expect(kept.textOf(each)).toBe(anew.textOf(each));
  expect(kept.textOf("/own")).toContain("b\n");
  expect(kept.textOf("/shared")).toBe("s\n");
});

test("a journal that was replaced after a comparison is compared from its first record", async () => {
  const { ports, projector, textOf } = await comparedRole();
  ports.files.replace("/log", ports.files.bytesOf("/log"));
  ports.files.write("/own", "b\n");
  await projector(PLACE).reconcile();
  expect(textOf()).toBe("b\na\n");
});

test("if only the journal was replaced after a comparison, nothing is written twice", async () => {
  const { ports, projector, textOf } = await comparedRole();
  ports.files.replace("/log", ports.files.bytesOf("/log"));
  await projector(PLACE).reconcile();
  expect(textOf()).toBe("a\nb\n");
  expect(textOf("/shared")).toBe("s\n");
});

test("missing projections of one file are written with one append", async () => {
  const { ports, say, projector, textOf } = role();
  for (const text of ["a\n", "b\n", "c\n"]) say(text);
  const appends: string[] = [];
  ports.files.fault = (operation, path) => {
    if (operation === "append") appends.push(path);
    return undefined;
  };
  await projector().reconcile();
  expect(textOf()).toBe("a\nb\nc\n");
  expect(appends).toEqual(["/own"]);
});

test("wherever an append of several blocks was torn, the next start writes the rest once", async () => {
  // Blocks whose beginnings are alike, as of two reviews.
  const blocks = [
    "[Review]\nfirst\n---\n\n",
    "[Review]\nsecond\n---\n\n",
    "[Review]\nfirst\n---\n\n",
  ];
  const whole = blocks.join("");
  for (let bytes = 0; bytes <= whole.length; bytes++) {
    const { ports, say, projector, textOf } = role();
    const one = projector();
    await one.reconcile();
    for (const text of blocks) say(text);
    ports.files.write("/own", whole.slice(0, bytes));
    await projector().reconcile();
    const text = textOf();
    // What was torn stays, and every block is there as often as it was said.
    expect(text.startsWith(whole.slice(0, bytes))).toBe(true);
    for (const [block, count] of [
      [blocks[0] ?? "", 2],
      [blocks[1] ?? "", 1],
    ] as const) {
      expect(text.split(block).length - 1, `torn after ${String(bytes)} bytes`).toBe(count);
    }
    await projector().reconcile();
    expect(textOf()).toBe(text);
  }
});
