import { z } from "zod";
import { NonEmpty } from "../../base/plain-values.ts";
import { copiedRecordOf } from "./copied-at-once.ts";
import { Oid } from "../../base/oid.ts";
import { Reason, UnitKey, WireInt, recordKind, recordOf } from "../codec/record-fields.ts";
import { LookRecord } from "./look-record.ts";
import { MeanwhileRecord } from "./meanwhile-record.ts";
import { turnRecords } from "./turn-records.ts";

/**
 * Another process or a person changed a file that this process writes; its content was restored.
 */
export const FileRestored = recordOf("file.restored", () => ({
  /** Path relative to the home. */
  file: NonEmpty,
  found: z.enum(["missing", "cut", "grown", "edited"]),
  /**
   * Path, relative to the home, of a copy of what was found; absent if all of it was wisp's own.
   */
  copy: NonEmpty.optional(),
}));
export type FileRestored = z.infer<typeof FileRestored>;

/**
 * Records that every role writes. Only those about the open unit matter, and only to the writer's
 * own recovery: no other process reads them. The rest is for people.
 */
export const commonRecords = [
  /** The role's process started and holds its lease. */
  recordOf("role.start", () => ({ pid: WireInt })),
  /** The role's process ends by itself. */
  copiedRecordOf("role.end", () => ({ reason: Reason })),
  /** A unit began. `base`: HEAD of the hub as the unit saw it. */
  recordOf("unit.begin", () => ({
    unit: UnitKey,
    base: Oid.optional(),
  })),
  /**
   * An interrupted unit was inspected after a restart. `rescue`: the ref that holds the saved work.
   */
  recordOf("unit.recover", () => ({
    unit: UnitKey,
    found: z.enum(["published", "committed", "nothing"]),
    rescue: z.string().optional(),
  })),
  ...turnRecords,
  /** An attempt at the open unit failed; counted across restarts, up to the policy's bound. */
  recordOf("attempt.failed", () => ({
    unit: UnitKey,
    reason: Reason,
  })),
  /**
   * The open unit cannot continue for now because of something outside; this never counts as an
   * attempt. `held`: the work tree that has the session branch checked out. `over`: it goes on.
   */
  recordOf("unit.wait", () => ({
    unit: UnitKey,
    reason: Reason,
    held: NonEmpty.optional(),
    over: z.literal("yes").optional(),
  })),
  /** The system reports no file changes: from here on the process polls the files every second. */
  recordOf("watch.lost", () => ({ errno: NonEmpty })),
  FileRestored,
  LookRecord,
  MeanwhileRecord,
  /** A sentence for people. `rescue`: the ref that holds the work that it is about. */
  recordOf("note", () => ({
    text: Reason,
    rescue: z.string().optional(),
  })),
] as const;

export const CommonRecord = z.discriminatedUnion("kind", commonRecords);
export type CommonRecord = z.infer<typeof CommonRecord>;

const COMMON_KINDS: ReadonlySet<string> = new Set(commonRecords.map(recordKind));

const TIME_CHARS = "2026-11-20T12:00:00.000Z".length;

/** Whether a line's second word is the kind of one of these records. */
export function isCommonRecord(line: string): boolean {
  const end = line.indexOf(" ", TIME_CHARS + 1);
  return COMMON_KINDS.has(line.slice(TIME_CHARS + 1, end < 0 ? undefined : end));
}

/** Fields that the end of any unit may carry. */
export const endFields = {
  unit: UnitKey,
  reason: Reason.optional(),
  /** For `gaveup`: how many reopens the role had seen. */
  reopens: WireInt.optional(),
  /** For `needs_input` and `blocked`: the question's id and text. */
  question: z.string().optional(),
  ask: Reason.optional(),
};
