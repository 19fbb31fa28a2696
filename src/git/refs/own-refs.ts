import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { type CloneRepo, HUB_REF } from "../clone/clone-repo.ts";
import { linesOf } from "../command/raw-output.ts";
import { frozenRefsText } from "./frozen-refs.ts";
import { parsePackedRefs } from "./packed-refs.ts";

/** Whether a clone has references that nobody gave it, or one of those that it was given was moved. */
export async function hasOwnRefs(repo: CloneRepo): Promise<Result<boolean, GitFailure>> {
  const { git, context, hub, branch, refs: frozen } = repo;
  const format = "--format=%(objectname) %(refname)";
  const listed = await git.must(["for-each-ref", format], { encoding: "latin1" });
  if (!listed.ok) return listed;
  const text =
    frozen === undefined
      ? ok("")
      : await frozenRefsText(context, { hub: hub.directory, branch, frozen });
  if (!text.ok) return text;
  const given = new Set(parsePackedRefs(text.value).refs.map(({ oid, name }) => `${oid} ${name}`));
  const names = [`refs/heads/${branch}`, HUB_REF];
  const isKnown = (line: string) =>
    given.has(line) || names.some((name) => line.endsWith(` ${name}`));
  return ok(linesOf(listed.value).some((line) => !isKnown(line)));
}
