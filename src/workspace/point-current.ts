import { dirname, relative } from "node:path";
import type { FileFailure, Files } from "../base/ports/files.ts";
import { ok, type Result } from "../base/result.ts";
import { homeAt } from "../fs-protocol/home/home.ts";
import { pointLink, readLink, realPath } from "../host/files/node-links.ts";
import type { World } from "./world.ts";
import { explain } from "../base/explain.ts";
import { sessionsOf } from "./shown-path.ts";
import {
  currentLink,
  listSessions,
  readSession,
  sessionsDirectory,
  type FoundSession,
} from "./sessions.ts";

/** Whether `.wisp/current` points to a home in `.wisp/sessions`. */
export function leadsToHome(repository: string): boolean {
  const path = currentLink(repository);
  const target = readLink(path) === undefined ? undefined : realPath(path);
  return (
    target !== undefined && sessionsOf(homeAt(target)) === realPath(sessionsDirectory(repository))
  );
}

/** Points `.wisp/current` to the home of the newest session or revision. */
export function pointToNewest(files: Files, repository: string): Result<void, FileFailure> {
  const last = newest(files, repository);
  return last.ok && last.value !== undefined ? point(last.value) : last.ok ? ok(undefined) : last;
}

/**
 * Makes sure that `.wisp/current` points somewhere, and to the continued session if that is the newest: the command that
 * created the session may have been killed before it set the link. Anything else in place of the link is left alone,
 * because a session works without it.
 */
export function keepCurrent(
  { host: { files, directories }, tell }: Pick<World, "host" | "tell">,
  { repository, id }: Pick<FoundSession["session"], "repository" | "id">,
): void {
  const link = currentLink(repository);
  const kind = directories.kindOf(link);
  if (kind === "file" || kind === "directory") return;
  const last = newest(files, repository);
  if (!last.ok || last.value === undefined) return;
  const isPointed = realPath(link) === realPath(last.value.home.directory);
  if (isPointed || (leadsToHome(repository) && last.value.session.id !== id)) return;
  const pointed = point(last.value);
  if (!pointed.ok) tell(`wisp: ${explain(pointed.failure).message}`);
}

function newest(files: Files, repository: string): Result<FoundSession | undefined, FileFailure> {
  const homes = listSessions(files, repository);
  if (!homes.ok) return homes;
  const sessions = homes.value.flatMap((home) => {
    const read = readSession(files, home);
    return read.ok ? [read.value] : [];
  });
  const madeMs = ({ session }: FoundSession) => Date.parse(session.createdAt);
  return ok(sessions.sort((one, other) => madeMs(one) - madeMs(other)).at(-1));
}

function point({ home, session }: FoundSession): Result<void, FileFailure> {
  const link = currentLink(session.repository);
  return pointLink(link, relative(dirname(link), home.directory));
}
