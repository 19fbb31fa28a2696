import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Git } from "../command/git.ts";
import { linesOf, parseBatch } from "../command/raw-output.ts";
import { ANNEX_NAME_BYTES_MAX } from "./annex-key.ts";

/** The texts of those blobs that are short enough to name content of git-annex, in two processes; with one character per byte. */
export async function smallTexts(
  git: Git,
  oids: readonly Oid[],
): Promise<Result<ReadonlyMap<Oid, string>, GitFailure>> {
  if (oids.length === 0) return ok(new Map());
  const format = "--batch-check=%(objecttype) %(objectname) %(objectsize)";
  const sized = await git.must(["cat-file", format], {
    stdin: [...new Set(oids)].map((oid) => `${oid}\n`).join(""),
  });
  if (!sized.ok) return sized;
  const small = linesOf(sized.value).flatMap((line) => {
    const [kind, oid, bytes] = line.split(" ");
    return kind === "blob" && oid !== undefined && Number(bytes) <= ANNEX_NAME_BYTES_MAX
      ? [`${oid}\n`]
      : [];
  });
  if (small.length === 0) return ok(new Map());
  const stdin = small.join("");
  const printed = await git.must(["cat-file", "--batch"], { encoding: "latin1", stdin });
  return printed.ok ? ok(parseBatch(printed.value)) : printed;
}
