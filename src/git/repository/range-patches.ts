import type { Oid } from "../../base/oid.ts";
import type { ChangedEntry, RangePatches } from "../../base/ports/patches.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { type UserContext, userGit } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import {
  parsePatch,
  parsePatchLog,
  PATCH_LOG_FORMAT,
  PATCH_OPTIONS,
} from "../command/patch-lines.ts";
import { decodedText, parseBatch } from "../command/raw-output.ts";
import type { CommitRange } from "./diffs.ts";

/** The bytes of git's output that are read at most of each part, so that looking takes a second at most. */
const PATCH_BYTES_MAX = 16 * 1024 * 1024;
/** Renames are found among this many files at most; beyond, they are a deletion and an addition. */
const RENAMES = ["-M", "-l400"];
/** Forbids git to fetch missing objects of a partial clone just to inspect them. */
const HERE = { variables: { GIT_NO_LAZY_FETCH: "1" } } as const;

/** What the commits of a range change, one by one and together. */
export async function rangePatches(
  context: UserContext,
  { directory, base, head }: CommitRange,
): Promise<Result<RangePatches, GitFailure>> {
  assertOids(base, head);
  const git = userGit(context, directory);
  const cut = { ...HERE, cutAtBytes: PATCH_BYTES_MAX };
  const log = ["log", "--reverse", "--topo-order", "--patch", "--no-renames", "--encoding=UTF-8"];
  const ends = [base, head, "--"];
  const [logged, net, raw] = await Promise.all([
    git.must(
      [...log, ...PATCH_OPTIONS, `--format=${PATCH_LOG_FORMAT}`, `${base}..${head}`, "--"],
      cut,
    ),
    git.must(["diff", "--patch", ...PATCH_OPTIONS, ...RENAMES, "--diff-filter=d", ...ends], cut),
    git.must(["diff", "--raw", "-z", "--no-abbrev", ...RENAMES, ...ends], cut),
  ]);
  if (!logged.ok) return logged;
  if (!net.ok) return net;
  if (!raw.ok) return raw;
  return ok({
    commits: parsePatchLog(logged.value),
    net: parsePatch(net.value),
    entries: parseEntries(raw.value),
    isWhole: [logged, net, raw].every(({ value }) => Buffer.byteLength(value) < PATCH_BYTES_MAX),
  });
}

const STATUSES: Readonly<Record<string, ChangedEntry["status"]>> = {
  ...{ A: "added", M: "modified", T: "modified", D: "deleted", R: "renamed" },
};

/** Parses `diff --raw -z`: fields end with a NUL, and a renamed file has two paths. */
function parseEntries(printed: string): readonly ChangedEntry[] {
  const fields = printed.split("\0");
  const entries: ChangedEntry[] = [];
  for (let at = 0; at + 1 < fields.length;) {
    const [, , before = "", after = "", word = ""] = (fields[at] ?? "").split(" ");
    const status = STATUSES[word.slice(0, 1)];
    const path = fields[at + (status === "renamed" ? 2 : 1)] ?? "";
    at += status === "renamed" ? 3 : 2;
    if (status === undefined) continue;
    entries.push({ status, path, before: oidOf(before), after: oidOf(after) });
  }
  return entries;
}

function oidOf(word: string): Oid | undefined {
  return /^0*$/u.test(word) ? undefined : word;
}

/** The texts of blobs by their ids; those beyond the limit, and absent ones, are left out. */
export async function blobTexts(
  context: UserContext,
  directory: string,
  oids: readonly Oid[],
): Promise<ReadonlyMap<Oid, string>> {
  if (oids.length === 0) return new Map();
  assertOids(...oids);
  const printed = await userGit(context, directory).ask(["cat-file", "--batch"], {
    ...{ ...HERE, encoding: "latin1", cutAtBytes: PATCH_BYTES_MAX },
    stdin: `${oids.join("\n")}\n`,
  });
  if (printed === undefined || printed.length >= PATCH_BYTES_MAX) return new Map();
  return new Map([...parseBatch(printed)].map(([oid, text]) => [oid, decodedText(text)]));
}
