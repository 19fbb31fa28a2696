import { LFS_POINTER_BYTES_MAX } from "./lfs-limits.ts";

/** A pointer of Git LFS: what a commit holds in place of the content. */
export interface LfsPointer {
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** The version that the specification names, and the two that git-lfs still reads. */
const VERSION =
  /^version https?:\/\/(?:git-lfs\.github\.com\/spec\/v1|hawser\.github\.com\/spec\/v1|git-media\.io\/v\/2)$/u;
const OID = /^oid sha256:(?<sha256>[0-9a-f]{64})$/u;
const SIZE = /^size (?<bytes>\d{1,15})$/u;

/**
 * Reads a file of a commit as a pointer of Git LFS (its specification: lines of a key and a value, `version` first);
 * undefined if it is none. Like git-lfs, it does not insist on line feeds alone, nor on the order of the other lines.
 */
export function lfsPointerIn(bytes: Uint8Array): LfsPointer | undefined {
  if (bytes.length > LFS_POINTER_BYTES_MAX) return undefined;
  const text = Buffer.from(bytes).toString("latin1").trim();
  const [version = "", ...lines] = text.split(/\r?\n/u);
  if (!VERSION.test(version)) return undefined;
  const found = (form: RegExp) => lines.map((line) => form.exec(line)?.groups).find(Boolean);
  const sha256 = found(OID)?.["sha256"];
  const sizeBytes = found(SIZE)?.["bytes"];
  if (sha256 === undefined || sizeBytes === undefined) return undefined;
  return { sha256, sizeBytes: Number(sizeBytes) };
}

/**
 * Reads a pointer as git-lfs writes it, byte by byte; undefined if it is none, or another form of one. Only of such a
 * file git-lfs makes again, from the content, what the commit has.
 */
export function exactPointerIn(bytes: Uint8Array): LfsPointer | undefined {
  const pointer = lfsPointerIn(bytes);
  if (pointer === undefined || pointer.sizeBytes === 0) return undefined;
  const { sha256, sizeBytes } = pointer;
  const text = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${String(sizeBytes)}\n`;
  return Buffer.from(text).equals(bytes) ? pointer : undefined;
}
