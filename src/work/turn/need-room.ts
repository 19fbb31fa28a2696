import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Home } from "../../fs-protocol/home/home.ts";

/** The least that a turn writes: its output and the resulting records. */
const ROOM_BYTES = 64 * 1024;

/**
 * Ends this process if the disk of the session's home is full. On a full disk engines fail too, each in its own way.
 * Such a failure does not concern the work, so it must not count as an attempt: the unit stays open.
 */
export function needRoom(files: Files, { turns }: Home): void {
  const path = join(turns, "room");
  need(files.replace(path, new Uint8Array(ROOM_BYTES)));
  need(files.remove(path));
}
