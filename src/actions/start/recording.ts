import { CannotGoOn, need } from "../../base/fatal.ts";
import { join, resolve } from "node:path";
import { Usage } from "../../workspace/usage.ts";
import { markRecording } from "../../agents/recording/recording-mark.ts";
import type { World } from "../../workspace/world.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** The file that identifies the session of a recording. */
const NAME = "recording.json";

/**
 * Checks whether `--record` may write to that directory: a new one, an empty one, or the one that
 * this session is already recorded to. Changes nothing.
 *
 * @param session its id and when it was created; undefined for one that is yet to be created
 */
export function checkRecording(
  { host, cwd }: Pick<World, "host" | "cwd">,
  given: string | undefined,
  session: FoundSession["session"] | undefined,
): string | undefined {
  if (given === undefined) return;
  const directory = resolve(cwd, given);
  const kind = host.directories.kindOf(directory);
  if (kind === undefined) return directory;
  const problem = `--record: ${directory} is not a new or empty directory`;
  if (kind !== "directory") throw new CannotGoOn(Usage({ problem }));
  const names = need(host.files.list(directory));
  if (names.length === 0) return directory;
  const read = need(host.files.read(join(directory, NAME)));
  const isOwn = session !== undefined && read !== undefined;
  if (isOwn && Buffer.from(read).toString("utf8") === markText(session)) return directory;
  throw new CannotGoOn(Usage({ problem }));
}

/** From now on, records each turn of the session there. */
export function beginRecording(
  { host, tell }: Pick<World, "host" | "tell">,
  { session }: FoundSession,
  directory: string | undefined,
): void {
  if (directory === undefined) return;
  need(host.files.makeDirectory(directory));
  need(host.files.replace(join(directory, NAME), Buffer.from(markText(session))));
  need(markRecording(host.files, session.state, directory));
  tell(`Recorded to ${join(directory, "cassette.yaml")}; check it before you share it`);
}

function markText({ id, base, createdAt }: FoundSession["session"]): string {
  return `${JSON.stringify({ session: id, base, createdAt }, undefined, 2)}\n`;
}
