import { z } from "zod";
import type { Files } from "../../base/ports/files.ts";
import { Oid } from "../../base/oid.ts";
import { jsonIn } from "../../base/words/json-text.ts";
import { fateOf, ProcessMark } from "./process-mark.ts";

const MARK_BYTES_MAX = 64 * 1024;

/**
 * What a process that makes a session is about to make, written before it makes any of it: so that
 * what it leaves when it is killed can be told from what is somebody else's.
 */
export const StartMark = z.object({
  by: ProcessMark,
  branch: z.string().min(1),
  base: Oid,
  /** The directory of the clones. */
  state: z.string().min(1),
});
export type StartMark = z.infer<typeof StartMark>;

/** The mark of a home that is being made, beside it. */
export function startMarkPath(draftDirectory: string): string {
  return `${draftDirectory}.json`;
}

/** `undefined` when there is none, or it cannot be read. */
export function readStartMark(files: Files, path: string): StartMark | undefined {
  return StartMark.safeParse(jsonIn(files, path, MARK_BYTES_MAX)).data;
}

/** Whether the process that makes a session may still be at it. */
export function isStarting({ by }: StartMark, isOld: boolean): boolean {
  const fate = fateOf(by);
  return fate === "alive" || (fate === "unknown" && !isOld);
}
