import type { FileFailure, Files } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import { parentHome, revisionHome, revisionNumber, type Home } from "./home.ts";
import type { SessionJson } from "./session-json.ts";

/** The homes of a session's revisions, ordered by number. */
export function revisionHomes(
  files: Pick<Files, "list">,
  parent: Home,
): Result<readonly Home[], FileFailure> {
  const names = files.list(parent.directory);
  if (!names.ok) return names;
  const numbers = names.value.flatMap((name) => revisionNumber(name) ?? []);
  return ok(numbers.sort((one, other) => one - other).map((n) => revisionHome(parent, n)));
}

/**
 * A session and all its revisions, whichever of them is passed in: they share a branch and clones,
 * so a process left running in one blocks the others.
 */
export function homeFamily(
  files: Pick<Files, "list">,
  home: Home,
  { parent }: Pick<SessionJson, "parent">,
): Result<readonly Home[], FileFailure> {
  const top = parent === undefined ? home : parentHome(home);
  const revisions = revisionHomes(files, top);
  return revisions.ok ? ok([top, ...revisions.value]) : revisions;
}
