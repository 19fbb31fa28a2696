import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { assertOids } from "../command/object-ids.ts";
import { linesOf } from "../command/raw-output.ts";
import type { CloneRepo } from "./clone-repo.ts";

const NAME_CHARS_MAX = 100;

/** A local branch of the clone, other than the session's, with commits on top of `base` that HEAD does not have. */
export async function branchBeside(
  { git }: CloneRepo,
  base: Oid,
): Promise<Result<string | undefined, GitFailure>> {
  assertOids(base);
  const selected = ["--count=1", "--sort=-committerdate", `--contains=${base}`, "--no-merged=HEAD"];
  const words = ["for-each-ref", ...selected, "--format=%(refname:lstrip=2)", "refs/heads/"];
  const listed = await git.must(words);
  if (!listed.ok) return listed;
  const [name] = linesOf(listed.value);
  return ok(name && cleanText(name, { charsMax: NAME_CHARS_MAX, lines: "one" }));
}
