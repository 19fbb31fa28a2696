import { join } from "node:path";
import { z } from "zod";
import { lateObject } from "../base/late-object.ts";
import { KNOWN_REPOSITORIES_MAX } from "../base/limits.ts";
import { NonEmpty } from "../base/plain-values.ts";
import type { Files } from "../base/ports/files.ts";
import { jsonOf } from "../base/words/json-text.ts";
import { entryKind, namesIn } from "../host/files/entry-kind.ts";
import { sessionAt } from "./removed-homes.ts";
import { repositoryState, stateRoot } from "./state-directory.ts";
import type { World } from "./world.ts";

/** Which repository a folder of the state directory belongs to: the copies of its sessions say so too, if any ran here. */
const RepositoryNote = lateObject(() => ({ version: z.literal(1), repository: NonEmpty }));

const NOTE_BYTES_MAX = 16 * 1024;

/** Where a repository's folder in the state directory names it. */
export function notePath(folder: string): string {
  return join(folder, ".repository.json");
}

/** Notes that there are sessions of a repository. Without the note, only `wisp list --all` misses them elsewhere. */
export function noteRepository(
  { host: { files }, env }: Pick<World, "host" | "env">,
  repository: string,
): void {
  const folder = repositoryState(env, repository);
  if (files.stat(notePath(folder)) !== undefined || !files.makeDirectory(folder).ok) return;
  const text = `${JSON.stringify({ version: 1, repository })}\n`;
  files.replace(notePath(folder), Buffer.from(text));
}

/**
 * The repositories of which the state directory knows sessions, and that are still there, sorted. What wisp put at its
 * own places on this machine is left out.
 */
export function knownRepositories({
  host: { files },
  env,
}: Pick<World, "host" | "env">): readonly string[] {
  const root = stateRoot(env);
  const folders = namesIn(root).filter((name) => !name.startsWith("."));
  const known = folders
    .slice(0, KNOWN_REPOSITORIES_MAX)
    .map((name) => join(root, name))
    .flatMap((folder) => {
      const repository = repositoryOf(files, folder);
      // A folder may have been copied, or planted.
      const isOwn = repository !== undefined && repositoryState(env, repository) === folder;
      return isOwn && !repository.startsWith(`${root}/`) ? [repository] : [];
    });
  return known.filter((one) => entryKind(join(one, ".git")) !== undefined).sort();
}

function repositoryOf(files: Files, folder: string): string | undefined {
  const read = files.read(notePath(folder), NOTE_BYTES_MAX);
  const text = read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "";
  const noted = RepositoryNote.safeParse(jsonOf(text)).data;
  if (noted !== undefined) return noted.repository;
  for (const name of namesIn(folder)) {
    const found = name.startsWith(".") ? undefined : sessionAt(files, join(folder, name));
    if (found !== undefined) return found.session.repository;
  }
  return undefined;
}
