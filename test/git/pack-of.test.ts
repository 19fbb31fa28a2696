import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Oid } from "../../src/base/oid.ts";
import type { GitObject } from "../../src/git/command/read-object.ts";
import { packOf } from "../../src/git/repository/pack-of.ts";
import { scratch } from "../host/scratch.ts";

/** On both sides of where the length needs another byte. */
const LENGTHS = [0, 1, 15, 16, 17, 2_047, 2_048, 2_049, 262_143, 262_144, 300_000];

function objectOf(kind: string, content: Buffer, format: string): [Oid, GitObject] {
  const bytes = Buffer.concat([Buffer.from(`${kind} ${String(content.length)}\0`), content]);
  return [Oid.parse(createHash(format).update(bytes).digest("hex")), { kind, content, bytes }];
}

/** Content of a length that compresses, and some that does not. */
function contentOf(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, at) => (at * at * (length % 7)) % 251));
}

test.each(["sha1", "sha256"])("git takes over each object of a pack with %s names", (format) => {
  using directory = scratch();
  const git = (args: readonly string[], input?: Buffer) =>
    execFileSync("git", ["-C", directory.path, ...args], { input, encoding: "latin1" });
  git(["init", "--quiet", `--object-format=${format}`]);
  const blobs = LENGTHS.map((length) => objectOf("blob", contentOf(length), format));
  const entries = blobs.map(([oid], at) =>
    Buffer.concat([
      Buffer.from(`100644 ${String(at).padStart(2, "0")}\0`),
      Buffer.from(oid, "hex"),
    ]),
  );
  const tree = objectOf("tree", Buffer.concat(entries), format);
  const who = "A <a@example.invalid> 1 +0000";
  const text = `tree ${tree[0]}\nauthor ${who}\ncommitter ${who}\n\nA commit\n`;
  const commit = objectOf("commit", Buffer.from(text), format);
  const objects = new Map([...blobs, tree, commit]);
  git(["unpack-objects", "-q", "--strict"], packOf(objects));
  const found = git(["cat-file", "--batch-all-objects", "--batch-check"]).trim().split("\n");
  const expected = [...objects].map(
    ([oid, { kind, content }]) => `${oid} ${kind} ${String(content.length)}`,
  );
  expect(found.sort()).toEqual(expected.sort());
});

test("a pack of nothing, or of an object that wisp does not read, is not made", () => {
  expect(packOf(new Map())).toBe(undefined);
  expect(packOf(new Map([objectOf("tag", Buffer.from("x"), "sha1")]))).toBe(undefined);
});
