import { join, resolve } from "node:path";
import { Usage } from "../../workspace/usage.ts";
import { markRecording } from "../../agents/recording/recording-mark.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { World } from "../../workspace/world.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** What says whose recording a directory is. */
const NAME = "recording.json";

/**
 * Whether `--record` may write to that directory: a new one, an empty one, or the one that this session
 * is recorded to already. Only looks.
 *
 * @param session its id and when it was made; undefined: one that is yet to be made
 */
export function checkRecording(
  { host, cwd }: Pick<World, "host" | "cwd">,
  given: string | undefined,
  session: FoundSession["session"] | undefined,
): Result<string | undefined, Usage | FileFailure> {
  if (given === undefined) return ok(undefined);
  const directory = resolve(cwd, given);
  const kind = host.directories.kindOf(directory);
  if (kind === undefined) return ok(directory);
  const problem = `--record: ${directory} is no directory that is new or empty`;
  if (kind !== "directory") return fail(Usage({ problem }));
  const names = host.files.list(directory);
  if (!names.ok) return names;
  if (names.value.length === 0) return ok(directory);
  const read = host.files.read(join(directory, NAME));
  if (!read.ok) return read;
  const isOwn = session !== undefined && read.value !== undefined;
  if (isOwn && Buffer.from(read.value).toString("utf8") === markText(session)) return ok(directory);
  return fail(Usage({ problem }));
}

/** From now on each turn of the session is recorded there. */
export function beginRecording(
  { host, tell }: Pick<World, "host" | "tell">,
  { session }: FoundSession,
  directory: string | undefined,
): Result<void, FileFailure> {
  if (directory === undefined) return ok(undefined);
  const made = host.files.makeDirectory(directory);
  if (!made.ok) return made;
  const named = host.files.replace(join(directory, NAME), Buffer.from(markText(session)));
  if (!named.ok) return named;
  const marked = markRecording(host.files, session.state, directory);
  if (!marked.ok) return marked;
  tell(`Recorded to ${join(directory, "cassette.yaml")}; look at it before you give it away`);
  return ok(undefined);
}

function markText({ id, base, createdAt }: FoundSession["session"]): string {
  return `${JSON.stringify({ session: id, base, createdAt }, undefined, 2)}\n`;
}
