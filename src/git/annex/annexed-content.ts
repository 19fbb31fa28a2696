import { join } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { hasCommit } from "../clone/history.ts";
import { locateGitDirectory } from "../command/git-directory.ts";
import { decodedText, parseRaw } from "../command/raw-output.ts";
import { newObjects } from "../repository/copy-objects.ts";
import { annexKeyIn, annexPaths } from "./annex-key.ts";
import { smallTexts } from "./small-texts.ts";

interface Commits {
  readonly from: Oid;
  readonly to: Oid;
}

/**
 * Why commits cannot be published: they name content of git-annex that only the clone has, and that nobody would ever
 * get. Undefined if they do not. Costs nothing where the clone has no such content.
 */
export async function onlyAnnexedHere(
  repo: CloneRepo,
  range: Commits,
): Promise<Result<string | undefined, GitFailure>> {
  const { context, location, hub } = repo;
  const own = location.gitDirectory;
  if (context.directories.kindOf(join(own, "annex", "objects")) !== "directory")
    return ok(undefined);
  const texts = await newTexts(repo, range);
  if (!texts.ok) return texts;
  const theirs = locateGitDirectory(context.files, hub.directory)?.commonDirectory;
  const isIn = (place: string | undefined, key: string) =>
    place !== undefined &&
    annexPaths(place, key).some((path) => context.directories.kindOf(path) === "file");
  const keys = texts.value.flatMap((text) => annexKeyIn(text) ?? []);
  const lost = keys.find((key) => isIn(own, key) && !isIn(theirs, key));
  return ok(lost === undefined ? undefined : reasonOf(lost));
}

/** The texts of new blobs, with one character per byte. */
async function newTexts(
  repo: CloneRepo,
  range: Commits,
): Promise<Result<readonly string[], GitFailure>> {
  const { git } = repo;
  const objects = newObjects(repo.context.files, repo.location, range);
  if (objects !== undefined) {
    const blobs = [...objects.values()].filter(({ kind }) => kind === "blob");
    return ok(blobs.map(({ content }) => content.toString("latin1")));
  }
  // Then the branch has moved on, and nothing is published before the clone has that, too.
  if (!(await hasCommit(repo, range.from))) return ok([]);
  const words = ["log", "-m", "--raw", "--no-abbrev", "-r", "-z", "--no-renames", "--format="];
  const printed = await git.must([...words, `${range.from}..${range.to}`, "--"], {
    encoding: "latin1",
  });
  if (!printed.ok) return printed;
  const texts = await smallTexts(
    git,
    parseRaw(printed.value.replaceAll("\0\n", "\0")).map(({ oid }) => oid),
  );
  return texts.ok ? ok([...texts.value.values()]) : texts;
}

function reasonOf(key: string): string {
  return `the commits name content of git-annex that only the agent's clone has, and that would be lost: ${shown(decodedText(key))}. Leave out what git annex add brought: only the person can add such files`;
}
