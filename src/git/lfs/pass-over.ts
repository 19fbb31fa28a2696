import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { WorkTree } from "../clone/conversions.ts";
import { decodedText, entriesOf } from "../command/raw-output.ts";
import { attributesDigest, contentsAt, readPlaced } from "./placed-record.ts";

/**
 * Marks the files in an index other than the clone's that have the content of the pointer which the index has, so that
 * git does not read them: it would start git-lfs for each. Starts no process if there are none.
 */
export async function passOver(
  { git, directory, context }: WorkTree,
  index: string,
): Promise<Result<void, GitFailure>> {
  if (readPlaced(context, directory).files.size === 0) return ok(undefined);
  const variables = { GIT_INDEX_FILE: index };
  const listed = await git.must(["ls-files", "-s", "-z"], { variables, encoding: "latin1" });
  if (!listed.ok) return listed;
  const files = entriesOf(listed.value).flatMap((line) => {
    const [, oid, path] = /^\d+ ([0-9a-f]+) 0\t(.+)$/su.exec(line) ?? [];
    return oid === undefined || path === undefined ? [] : [{ oid, path: decodedText(path) }];
  });
  const known = files.filter(contentsAt(context, directory, attributesDigest(files)));
  if (known.length === 0) return ok(undefined);
  const stdin = known.map(({ path }) => `${path}\0`).join("");
  return git.act(["update-index", "--assume-unchanged", "-z", "--stdin"], { stdin, variables });
}
