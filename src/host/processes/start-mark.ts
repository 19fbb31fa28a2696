import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import type { Files } from "../../base/ports/files.ts";
import { Oid } from "../../base/oid.ts";
import { jsonIn } from "../../base/words/json-text.ts";
import { fateOf, ProcessMark } from "./process-mark.ts";

const MARK_BYTES_MAX = 64 * 1024;

/**
 * What a process that creates a session is about to make, written before it makes any of it. If the process is
 * killed, its remains can be told from other people's files.
 */
export const StartMark = lateObject(() => ({
  by: ProcessMark,
  branch: z.string().min(1),
  base: Oid,
  /** The directory of the clones. */
  state: z.string().min(1),
}));
export type StartMark = z.infer<typeof StartMark>;

/** The mark of an unfinished home, which lies beside it. */
export function startMarkPath(draftDirectory: string): string {
  return `${draftDirectory}.json`;
}

/** Reads the mark; `undefined` if there is none or it cannot be read. */
export function readStartMark(files: Files, path: string): StartMark | undefined {
  return StartMark.safeParse(jsonIn(files, path, MARK_BYTES_MAX), { jitless: true }).data;
}

/** Whether the process that creates the session may still be running. */
export function isStarting({ by }: StartMark, isOld: boolean): boolean {
  const fate = fateOf(by);
  return fate === "alive" || (fate === "unknown" && !isOld);
}
