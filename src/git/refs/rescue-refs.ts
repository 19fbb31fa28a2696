import { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { userGit, type UserContext } from "../command/git.ts";
import { linesOf } from "../command/raw-output.ts";

/** The references under which work of a session was saved, with their commits. */
export async function rescueRefs(
  context: UserContext,
  { directory, session }: { readonly directory: string; readonly session: string },
): Promise<Result<readonly { readonly ref: string; readonly oid: Oid }[], GitFailure>> {
  const words = [
    "for-each-ref",
    "--format=%(objectname) %(refname)",
    `refs/wisp/rescue/${session}/`,
  ];
  const listed = await userGit(context, directory).must(words);
  if (!listed.ok) return listed;
  return ok(
    linesOf(listed.value).map((line) => {
      const [oid = "", ref = ""] = line.split(" ");
      return { ref, oid: Oid.parse(oid) };
    }),
  );
}
