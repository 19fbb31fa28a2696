import { z } from "zod";
import { keptRecordOf } from "./kept-at-once.ts";
import { Oid } from "../../base/oid.ts";
import { Reason, UnitKey, WireInt, recordOf } from "../codec/record-fields.ts";
import { MeanwhileRecord } from "./meanwhile-record.ts";
import { turnRecords } from "./turn-records.ts";

/** Somebody else changed a file that is not theirs; what was there was put back. */
export const FileRestored = recordOf("file.restored", {
  /** Its path below the home. */
  file: z.string().min(1),
  found: z.enum(["missing", "cut", "grown", "edited"]),
  /** Path below the home of a copy of what was found; absent: nothing of somebody else's was in it. */
  copy: z.string().min(1).optional(),
});
export type FileRestored = z.infer<typeof FileRestored>;

/**
 * Records that every role writes. Only those about the open unit matter, and only to the writer's
 * own recovery: nobody else reads them (coordination, principle 3). The rest is for people.
 */
export const commonRecords = [
  /** The role's process started and holds its lease. */
  recordOf("role.start", { pid: WireInt }),
  /** The role's process ends by itself. */
  keptRecordOf("role.end", { reason: Reason }),
  /** A unit was taken. `base`: HEAD of the hub as the unit saw it. */
  recordOf("unit.begin", {
    unit: UnitKey,
    base: Oid.optional(),
  }),
  /** An interrupted unit was looked at after a restart; `rescue`: the ref that holds what was saved. */
  recordOf("unit.recover", {
    unit: UnitKey,
    found: z.enum(["published", "committed", "nothing"]),
    rescue: z.string().optional(),
  }),
  ...turnRecords,
  /** An attempt at the open unit came to nothing; counted across restarts, up to the policy's bound. */
  recordOf("attempt.failed", {
    unit: UnitKey,
    reason: Reason,
  }),
  /** The open unit cannot go on for now: a state of the world, never an attempt. */
  recordOf("unit.wait", { unit: UnitKey, reason: Reason }),
  /** The system tells of no changes to files: from here on the process looks at them every second. */
  recordOf("watch.lost", { errno: z.string().min(1) }),
  FileRestored,
  MeanwhileRecord,
  /** A sentence for people; `rescue`: the ref that holds the work that it is about. */
  recordOf("note", {
    text: Reason,
    rescue: z.string().optional(),
  }),
] as const;

export const CommonRecord = z.discriminatedUnion("kind", commonRecords);
export type CommonRecord = z.infer<typeof CommonRecord>;

/** The kinds of these. */
const COMMON_KINDS: ReadonlySet<string> = new Set(
  commonRecords.map(({ shape }) => shape.kind.value),
);

const TIME_CHARS = "2026-11-20T12:00:00.000Z".length;

/** Whether a line says that it is one of these records, by the word where its kind stands. */
export function isCommonRecord(line: string): boolean {
  const end = line.indexOf(" ", TIME_CHARS + 1);
  return COMMON_KINDS.has(line.slice(TIME_CHARS + 1, end < 0 ? undefined : end));
}

/** Outcome fields that any ended unit may carry. */
export const endFields = {
  unit: UnitKey,
  reason: Reason.optional(),
  /** `gaveup`: how many reopens the role had seen. */
  reopens: WireInt.optional(),
  /** `needs_input` and `blocked`: id and words of the question. */
  question: z.string().optional(),
  ask: Reason.optional(),
};
