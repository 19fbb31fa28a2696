import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Home } from "../../fs-protocol/home/home.ts";

/** What a turn writes at the least: its output, and the records that follow from it. */
const ROOM_BYTES = 64 * 1024;

/**
 * Ends this process where the disk of the session's home takes no more. An engine fails there as well,
 * in ways of its own; that says nothing about its work and is no attempt: the unit stays open.
 */
export function needRoom(files: Files, { turns }: Home): void {
  const path = join(turns, "room");
  need(files.replace(path, new Uint8Array(ROOM_BYTES)));
  need(files.remove(path));
}
