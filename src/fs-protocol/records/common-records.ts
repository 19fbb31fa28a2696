import { z } from "zod";
import { keptAtOnce } from "./kept-at-once.ts";
import { Oid } from "../../base/oid.ts";
import { Reason, RecordTime, UnitKey, WireInt } from "../codec/record-fields.ts";
import { MeanwhileRecord } from "./meanwhile-record.ts";
import { turnRecords } from "./turn-records.ts";

/** Somebody else changed a file that is not theirs; what was there was put back. */
export const FileRestored = z.object({
  kind: z.literal("file.restored"),
  time: RecordTime,
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
  z.object({ kind: z.literal("role.start"), time: RecordTime, pid: WireInt }),
  /** The role's process ends by itself. */
  z.object({ kind: keptAtOnce("role.end"), time: RecordTime, reason: Reason }),
  /** A unit was taken. `base`: HEAD of the hub as the unit saw it. */
  z.object({
    kind: z.literal("unit.begin"),
    time: RecordTime,
    unit: UnitKey,
    base: Oid.optional(),
  }),
  /** An interrupted unit was looked at after a restart; `rescue`: the ref that holds what was saved. */
  z.object({
    kind: z.literal("unit.recover"),
    time: RecordTime,
    unit: UnitKey,
    found: z.enum(["published", "committed", "nothing"]),
    rescue: z.string().optional(),
  }),
  ...turnRecords,
  /** An attempt at the open unit came to nothing; counted across restarts, up to the policy's bound. */
  z.object({
    kind: z.literal("attempt.failed"),
    time: RecordTime,
    unit: UnitKey,
    reason: Reason,
  }),
  /** The open unit cannot go on for now: a state of the world, never an attempt. */
  z.object({ kind: z.literal("unit.wait"), time: RecordTime, unit: UnitKey, reason: Reason }),
  /** The system tells of no changes to files: from here on the process looks at them every second. */
  z.object({ kind: z.literal("watch.lost"), time: RecordTime, errno: z.string().min(1) }),
  FileRestored,
  MeanwhileRecord,
  /** A sentence for people; `rescue`: the ref that holds the work that it is about. */
  z.object({
    kind: z.literal("note"),
    time: RecordTime,
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
  time: RecordTime,
  unit: UnitKey,
  reason: Reason.optional(),
  /** `gaveup`: how many reopens the role had seen. */
  reopens: WireInt.optional(),
  /** `needs_input` and `blocked`: id and words of the question. */
  question: z.string().optional(),
  ask: Reason.optional(),
};
