import { assert } from "../../base/assert.ts";
import type { Files } from "../../base/ports/files.ts";
import { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { readText } from "./git-directory.ts";
import { gitFailure } from "./git-failure.ts";
import { linesOf } from "./raw-output.ts";

/** Stops an id that is none before it reaches an argument vector: it would be read as an option. */
export function assertOids(...oids: readonly Oid[]): void {
  assert(
    oids.every((oid) => Oid.safeParse(oid).success),
    "commits are named by full-length object ids",
  );
}

/** The one object id that a command of git in `directory` printed. */
export function printedOid(printed: string, directory: string): Result<Oid, GitFailure> {
  const oids = printedOids(printed, directory);
  if (!oids.ok) return oids;
  const [oid] = oids.value;
  return oid === undefined ? noOid(printed, directory) : ok(oid);
}

/** The object ids that a command of git in `directory` printed, one to a line. */
export function printedOids(
  printed: string,
  directory: string,
): Result<readonly Oid[], GitFailure> {
  const oids = linesOf(printed).map((line) => Oid.safeParse(line));
  return oids.every((oid) => oid.success)
    ? ok(oids.map((oid) => oid.data))
    : noOid(printed, directory);
}

/** The object id that is all of a small file of git's, or `undefined`. */
export function oidInFile(files: Files, path: string): Oid | undefined {
  return Oid.safeParse(readText(files, path)?.trim()).data;
}

function noOid(printed: string, directory: string): Result<never, GitFailure> {
  return fail(gitFailure("parse", directory, `no object id: ${printed}`));
}
