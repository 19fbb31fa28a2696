import { createHash } from "node:crypto";
import { assert } from "../../base/assert.ts";
import type { Files } from "../../base/ports/files.ts";
import { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { readText } from "./git-directory.ts";
import { gitFailure } from "./git-failure.ts";
import { linesOf } from "./raw-output.ts";

/**
 * Keeps anything that is not an object id out of an argument vector, where it could be read as an
 * option.
 */
export function assertOids(...oids: readonly Oid[]): void {
  assert(
    oids.every((oid) => Oid.safeParse(oid).success),
    "commits are named by full-length object ids",
  );
}

const SHA1_CHARS = 40;

/** The name that git gives the hash with which a repository names its objects. */
export function objectFormat({ length }: Oid): "sha1" | "sha256" {
  return length === SHA1_CHARS ? "sha1" : "sha256";
}

/** The object id of a file with these bytes, in the repository of another id. */
export function blobId(bytes: Uint8Array, like: Oid): Oid {
  const hash = createHash(objectFormat(like)).update(`blob ${String(bytes.length)}\0`);
  return hash.update(bytes).digest("hex");
}

/** Parses the single object id that git printed. */
export function printedOid(printed: string, directory: string): Result<Oid, GitFailure> {
  const oids = printedOids(printed, directory);
  if (!oids.ok) return oids;
  const [oid] = oids.value;
  return oid === undefined ? noOid(printed, directory) : ok(oid);
}

/** Parses the object ids that git printed, one per line. */
export function printedOids(
  printed: string,
  directory: string,
): Result<readonly Oid[], GitFailure> {
  const oids = linesOf(printed).map((line) => Oid.safeParse(line));
  return oids.every((oid) => oid.success)
    ? ok(oids.map((oid) => oid.data))
    : noOid(printed, directory);
}

/** The object id that a small file in a git directory consists of, or `undefined`. */
export function oidInFile(files: Files, path: string): Oid | undefined {
  return Oid.safeParse(readText(files, path)?.trim()).data;
}

function noOid(printed: string, directory: string): Result<never, GitFailure> {
  return fail(gitFailure("parse", directory, `no object id: ${printed}`));
}
