import { z } from "zod";
import { LOG_NAMES } from "../../base/role.ts";

/** From where a log is read on, and the process of its role that was open at the end of what was read. */
const ReadSoFar = z.object({
  offsetBytes: z.int().nonnegative(),
  inode: z.int().nonnegative(),
  /** Spans that end with a record before it have been sent. */
  madeBytes: z.int().nonnegative(),
  role: z.object({ pid: z.int().nonnegative(), fromMs: z.number() }).optional(),
});
export type ReadSoFar = z.infer<typeof ReadSoFar>;

/** What the process that exports a session's spans leaves for the next one: a file that may be lost. */
const SpansPlace = z.object({
  logs: z.partialRecord(z.enum(LOG_NAMES), ReadSoFar),
});
export type SpansPlace = z.infer<typeof SpansPlace>;

/** Undefined if the file is not what such a process wrote. */
export function parsePlace(bytes: Uint8Array): SpansPlace | undefined {
  try {
    return SpansPlace.safeParse(JSON.parse(Buffer.from(bytes).toString("utf8"))).data;
  } catch {
    return undefined;
  }
}
