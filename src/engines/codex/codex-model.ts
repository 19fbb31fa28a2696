import { isAbsolute, join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { textAt } from "../events/json-value.ts";

/** How much of a rollout is read, from its end, to find the record with the last turn's settings. */
export const ROLLOUT_BYTES_MAX = 16 * 1024 * 1024;

const DAY_MS = 24 * 60 * 60_000;
const SESSION = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/u;

/**
 * The model of the last turn of a codex session, read from codex's own file about the session
 * (`rollout-…-<session>.jsonl`, 0.169.0), because its output does not include the model. `undefined` if not found.
 */
export function codexModel(
  files: Pick<Files, "list" | "stat" | "readChunk">,
  env: Readonly<Record<string, string>>,
  session: string,
): string | undefined {
  const path = rolloutOf(files, env, session);
  if (path === undefined) return undefined;
  const size = files.stat(path)?.sizeBytes ?? 0;
  const read = files.readChunk(path, Math.max(0, size - ROLLOUT_BYTES_MAX), ROLLOUT_BYTES_MAX);
  if (!read.ok) return undefined;
  const lines = new TextDecoder().decode(read.value).split("\n");
  // A model's text may contain these words too, but not as the record's type.
  for (const line of lines.filter((each) => each.includes('"turn_context"')).reverse()) {
    const record = jsonOf(line);
    if (textAt(record, "type") === "turn_context") return textAt(record, "payload", "model");
  }
  return undefined;
}

/** The path of the rollout, which lies in a folder named after the local date on which the session began. */
function rolloutOf(
  files: Pick<Files, "list">,
  env: Readonly<Record<string, string>>,
  session: string,
): string | undefined {
  const home = env["CODEX_HOME"] ?? (env["HOME"] && join(env["HOME"], ".codex"));
  if (home === undefined || !isAbsolute(home) || !SESSION.test(session)) return undefined;
  // The id starts with the time, in milliseconds since 1970.
  const beganMs = Number.parseInt(session.replace("-", "").slice(0, 12), 16);
  for (const shiftMs of [0, -DAY_MS, DAY_MS]) {
    const day = new Date(beganMs + shiftMs).toISOString().slice(0, 10).split("-");
    const folder = join(home, "sessions", ...day);
    const names = files.list(folder);
    const name = names.ok && names.value.find((each) => each.endsWith(`-${session}.jsonl`));
    if (typeof name === "string") return join(folder, name);
  }
  return undefined;
}
