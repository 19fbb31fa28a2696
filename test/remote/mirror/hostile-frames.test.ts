import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { onFailpoint } from "../../../src/base/ports/failpoint.ts";
import type { Result } from "../../../src/base/result.ts";
import { receiveFile } from "../../../src/host/files/receive-file.ts";
import { isMirrored } from "../../../src/remote/mirror/mirrored-path.ts";
import { value } from "../../git/rig.ts";
import { everything, mirrorRig, put, type MirrorRig, type MirrorSide } from "./rig.ts";

afterEach(() => onFailpoint(undefined));

/** A mirror with a file outside of it, and what is taken of frames whose headers are any JSON. */
function hostileRig() {
  const rig: MirrorRig = mirrorRig();
  const side: MirrorSide = rig.mirror();
  const outside = join(side.home.directory, "..", "outside");
  put(outside, "kept.md", "kept\n");
  put(side.home.directory, "TASKS.md", "- [ ] a\n");
  put(side.home.directory, "place.json", "{}\n");
  put(side.home.directory, "locks/link.json", "{}\n");
  const taker = side.taker();
  const take = (header: object, body = ""): Promise<Result<void, { readonly kind: string }>> =>
    taker.take(Buffer.from(`${JSON.stringify(header)}\n${body}`));
  return { rig, side, outside, take, [Symbol.dispose]: () => rig[Symbol.dispose]() };
}

const LONG = "a/".repeat(11) + "b".repeat(980);
const PATHS = [
  ...[
    "",
    ".",
    "..",
    "../x",
    "a/../../x",
    "a/..",
    "/etc/passwd",
    "a//b",
    "a/",
    "./a",
    "a\0b",
    "a\\..\\b",
  ],
  ...["../../current", "../../../.wisp/current", "place.json", "PLACE.JSON", "Place.json"],
  ...["locks", "locks/x", "LOCKS/link.json", "lock\u017F/x", "lo\u200Ccks/x", "revision-1/locks/x"],
  ...["revision-1/place.json", "Revision-1/Locks/x", "revision-1/revision-2/locks/x", "a.lock"],
  ...[
    "logs/a.LOCK",
    "a.lock.holder",
    ".a.0123456789ab.tmp",
    ".git/config",
    "a/.GIT/hooks/x",
    "HEAD",
  ],
  ...["a/".repeat(12) + "b", LONG],
];

test.each(PATHS.map((path) => [JSON.stringify(path).slice(0, 60), path] as const))(
  "a frame about %s is refused and changes nothing",
  async (_, path) => {
    for (const header of [
      { kind: "append", path, at: 0, bytes: 1 },
      { kind: "replace", path, isFirst: true, isLast: true, bytes: 1 },
      { kind: "remove", path },
    ]) {
      using rig = hostileRig();
      const root = join(rig.side.home.directory, "..");
      const before = everything(root);
      expect(await rig.take(header, "x")).toMatchObject({ failure: { kind: "bad-frame" } });
      expect(everything(root)).toEqual(before);
    }
  },
);

test("the files that a home has belong to its mirror", () => {
  const paths = ["TASKS.md", "logs/turns/a-1/x.out", ".stuck-hint.md", "revision-1/logs/human.log"];
  expect(paths.filter(isMirrored)).toEqual(paths);
});

test.each(["append", "replace", "remove"])(
  "a link on the way is never followed (%s)",
  async (kind) => {
    using rig = hostileRig();
    const { home } = rig.side;
    symlinkSync(rig.outside, join(home.directory, "edits"));
    mkdirSync(home.logs, { recursive: true });
    symlinkSync(rig.outside, join(home.logs, "turns"));
    const before = everything(rig.outside);
    for (const path of ["edits/kept.md", "edits/new.md", "edits/a/b.md", "logs/turns/kept.md"]) {
      const header = {
        kind,
        path,
        at: 0,
        isFirst: true,
        isLast: true,
        bytes: kind === "remove" ? 0 : 1,
      };
      expect(await rig.take(header, kind === "remove" ? "" : "x")).toMatchObject({
        failure: { kind: "file", errno: "ENOTDIR" },
      });
    }
    expect(everything(rig.outside)).toEqual(before);
  },
);

test("a link in the place of a file is replaced or removed itself, and never written through", async () => {
  using rig = hostileRig();
  const { home } = rig.side;
  const target = join(rig.outside, "kept.md");
  mkdirSync(home.logs, { recursive: true });
  for (const path of [home.tasks, home.builderLog, home.progress]) {
    rmSync(path, { force: true });
    symlinkSync(target, path);
  }
  expect(
    await rig.take({ kind: "append", path: "logs/builder.log", at: 5, bytes: 1 }, "x"),
  ).toMatchObject({ failure: { kind: "file", errno: "ELOOP" } });
  value(
    await rig.take(
      { kind: "replace", path: "TASKS.md", isFirst: true, isLast: true, bytes: 1 },
      "x",
    ),
  );
  value(await rig.take({ kind: "remove", path: "PROGRESS.txt" }));
  expect(readFileSync(target, "utf8")).toBe("kept\n");
  expect(readFileSync(home.tasks, "utf8")).toBe("x");
  expect(existsSync(home.progress)).toBe(false);
  // What a killed follower left is not looked for behind links either.
  put(rig.outside, ".a.0123456789ab.tmp", "not ours\n");
  symlinkSync(rig.outside, join(home.directory, "plans"));
  rig.side.request();
  expect(existsSync(join(rig.outside, ".a.0123456789ab.tmp"))).toBe(true);
});

test.each([1, 7, 9, Number.MAX_SAFE_INTEGER])(
  "an offset that is not the end of the file (%d) is refused, and makes no file",
  async (at) => {
    using rig = hostileRig();
    for (const path of ["TASKS.md", "logs/builder.log"]) {
      expect(await rig.take({ kind: "append", path, at, bytes: 1 }, "x")).toMatchObject({
        failure: { kind: "file" },
      });
    }
    expect(readFileSync(rig.side.home.tasks, "utf8")).toBe("- [ ] a\n");
    expect(existsSync(rig.side.home.builderLog)).toBe(false);
  },
);

test("parts without a beginning, or of another file, are refused; none of them appears", async () => {
  using rig = hostileRig();
  const part = { kind: "replace", isFirst: false, isLast: true, bytes: 1 };
  const before = everything(rig.side.home.directory);
  const bad = { failure: { kind: "bad-frame" } };
  expect(await rig.take({ ...part, path: "TASKS.md" }, "x")).toMatchObject(bad);
  expect(await rig.take({ ...part, kind: "bundle" }, "x")).toMatchObject(bad);
  value(await rig.take({ ...part, isFirst: true, isLast: false, path: "TASKS.md" }, "x"));
  expect(await rig.take({ ...part, kind: "bundle" }, "x")).toMatchObject(bad);
  expect(await rig.take({ ...part, path: "request.md" }, "x")).toMatchObject(bad);
  rig.side.request();
  expect(everything(rig.side.home.directory)).toEqual(before);
});

test("more files than a mirror may have are refused; those that are there are still written", async () => {
  using rig = hostileRig();
  const taker = rig.side.taker({ filesMax: 3 });
  const take = (path: string, kind = "append") =>
    taker.take(Buffer.from(`${JSON.stringify({ kind, path, at: 0, bytes: 0 })}\n`));
  for (const path of ["logs/a", "logs/b"]) value(await take(path));
  expect(await take("logs/c")).toMatchObject({ failure: { kind: "bad-frame" } });
  expect(existsSync(join(rig.side.home.logs, "c"))).toBe(false);
});

test("a removal of what is not there makes no folder, and does not remove one", async () => {
  using rig = hostileRig();
  value(await rig.take({ kind: "remove", path: "edits/a/b.md" }));
  expect(existsSync(rig.side.home.edits)).toBe(false);
  put(rig.side.home.directory, "edits/a/b.md", "b\n");
  value(await rig.take({ kind: "remove", path: "edits" }));
  expect(existsSync(join(rig.side.home.edits, "a/b.md"))).toBe(true);
});

test("a folder with files in it is not replaced by a file", async () => {
  using rig = hostileRig();
  put(rig.side.home.directory, "logs/builder.log", "one\n");
  const header = { kind: "replace", path: "logs", isFirst: true, isLast: true, bytes: 1 };
  expect(await rig.take(header, "x")).toMatchObject({
    failure: { kind: "file", errno: "ENOTEMPTY" },
  });
  expect(readFileSync(rig.side.home.builderLog, "utf8")).toBe("one\n");
});

test("a file that could not be written whole does not take the place of the one that is there", () => {
  using rig = hostileRig();
  const { tasks } = rig.side.home;
  const receiver = value(receiveFile(tasks));
  receiver.write(Buffer.from("beginning "));
  onFailpoint((name) => {
    if (name === "write.before") throw Object.assign(new Error("full"), { code: "ENOSPC" });
  });
  receiver.write(Buffer.from("middle "));
  onFailpoint(undefined);
  receiver.write(Buffer.from("end\n"));
  expect(receiver.finish()).toMatchObject({ failure: { kind: "file", errno: "ENOSPC" } });
  expect(readFileSync(tasks, "utf8")).toBe("- [ ] a\n");
  expect(
    Object.keys(everything(rig.side.home.directory)).some((name) => name.endsWith(".tmp")),
  ).toBe(false);
});

test("what a killed follower left is removed before the next connection, in every folder", async () => {
  using rig = mirrorRig();
  const side = rig.mirror();
  put(rig.far.directory, "logs/turns/build-1/engine.out", "x\n");
  put(rig.far.directory, "revision-1/requests/0.md", "x\n");
  await rig.bringUp(side);
  const wanted = everything(side.home.directory);
  for (const folder of ["", "logs/turns/build-1", "revision-1/requests", "edits"]) {
    put(side.home.directory, join(folder, ".a.0123456789ab.tmp"), "half");
  }
  writeFileSync(join(side.scratch, "mirror.bundle"), "half");
  writeFileSync(join(side.scratch, ".mirror.bundle.0123456789ab.tmp"), "half");
  side.request();
  expect(everything(side.home.directory)).toEqual(wanted);
  expect(everything(side.scratch)).toEqual({});
});

test("content that is longer than announced, or more than a session may bring, is refused", async () => {
  using rig = hostileRig();
  const { take, side } = rig;
  const announced = { kind: "content", sha256: "0".repeat(64), sizeBytes: 6 };
  const first = { ...announced, isFirst: true, isLast: false, bytes: 4 };
  value(await take(first, "four"));
  const more = { ...announced, isFirst: false, isLast: false, bytes: 4 };
  expect(await take(more, "more")).toMatchObject({
    ok: false,
    failure: { kind: "bad-frame", problem: "it is longer than announced" },
  });
  side.request();
  expect(everything(side.scratch)).toEqual({});
  const huge = { ...first, sizeBytes: 6 * 1024 ** 3 };
  expect(await side.taker().take(Buffer.from(`${JSON.stringify(huge)}\nfour`))).toMatchObject({
    ok: false,
    failure: { kind: "bad-frame" },
  });
});
