import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { Oid } from "../../base/oid.ts";
import { objectFormat } from "../command/object-ids.ts";
import type { GitObject } from "../command/read-object.ts";

/** The types of objects in a pack (gitformat-pack). */
const TYPES: ReadonlyMap<string, number> = new Map([
  ["commit", 1],
  ["tree", 2],
  ["blob", 3],
]);
const VERSION = 2;

/**
 * Objects in the format in which git receives them (gitformat-pack), without deltas; undefined for none, and for one of
 * a type that wisp does not read.
 */
export function packOf(objects: ReadonlyMap<Oid, GitObject>): Buffer | undefined {
  const [first] = objects.keys();
  if (first === undefined) return undefined;
  const header = Buffer.from("PACK\0\0\0\0\0\0\0\0", "latin1");
  header.writeUInt32BE(VERSION, 4);
  header.writeUInt32BE(objects.size, 8);
  const parts: Uint8Array[] = [header];
  for (const { kind, content } of objects.values()) {
    const type = TYPES.get(kind);
    if (type === undefined) return undefined;
    parts.push(entryHeader(type, content.length), deflateSync(content, { level: 1 }));
  }
  const bytes = Buffer.concat(parts);
  return Buffer.concat([bytes, createHash(objectFormat(first)).update(bytes).digest()]);
}

/** Type and length: four bits of the length in the first byte, seven in each further one, the lowest first. */
function entryHeader(type: number, length: number): Buffer {
  const bytes = [(type << 4) | (length & 0x0f)];
  for (let rest = length >>> 4; rest > 0; rest >>>= 7) {
    bytes.push((bytes.pop() ?? 0) | 0x80, rest & 0x7f);
  }
  return Buffer.from(bytes);
}
