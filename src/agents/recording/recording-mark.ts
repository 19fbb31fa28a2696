import { join } from "node:path";
import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import type { Result } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";

const MARK_BYTES_MAX = 64 * 1024;

/** The file next to a session's clones that turns recording on and names the directory. */
const RecordingMark = lateObject(() => ({ directory: z.string().min(1) }));

function markPath(state: string): string {
  return join(state, "recording.json");
}

/**
 * The directory into which a session's turns are recorded; undefined if recording is off. Read again for each turn,
 * because recording may start at any time.
 */
export function recordingDirectory(files: Files, state: string): string | undefined {
  const read = files.read(markPath(state), MARK_BYTES_MAX);
  if (!read.ok || read.value === undefined) return undefined;
  const parsed = RecordingMark.safeParse(jsonOf(new TextDecoder().decode(read.value)));
  return parsed.success ? parsed.data.directory : undefined;
}

/** Starts recording the turns of a session into `directory`, an absolute path. */
export function markRecording(
  files: Files,
  state: string,
  directory: string,
): Result<void, FileFailure> {
  return files.replace(markPath(state), Buffer.from(`${JSON.stringify({ directory })}\n`));
}
