import { z } from "zod";
import { keptAtOnce } from "./kept-at-once.ts";
import { RoleField } from "../codec/record-fields.ts";
import { FileRestored } from "./common-records.ts";
import { Reason, RecordTime, WireInt } from "../codec/record-fields.ts";

/** `logs/supervisor.log`. */
export const SupervisorRecord = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("supervisor.start"), time: RecordTime, pid: WireInt }),
  z.object({
    kind: keptAtOnce("supervisor.end"),
    time: RecordTime,
    code: WireInt,
    reason: Reason,
  }),
  /** A role was started by this supervisor. */
  z.object({ kind: z.literal("role.spawn"), time: RecordTime, role: RoleField, pid: WireInt }),
  z.object({
    kind: z.literal("role.exit"),
    time: RecordTime,
    role: RoleField,
    code: WireInt.optional(),
    reason: Reason,
  }),
  /** A live process holds the role's lease: lifts `role.failed`. */
  z.object({ kind: z.literal("lease"), time: RecordTime, role: RoleField, pid: WireInt }),
  /** A crash loop: the role is not started again until a person does. */
  z.object({ kind: keptAtOnce("role.failed"), time: RecordTime, role: RoleField, reason: Reason }),
  FileRestored,
  /** A person is told of something beyond the terminal, once: written before they are. */
  z.object({
    kind: z.literal("notice"),
    time: RecordTime,
    about: z.string().min(1).max(200),
    via: z.string().min(1),
    text: Reason,
  }),
  z.object({ kind: z.literal("note"), time: RecordTime, text: Reason }),
]);
export type SupervisorRecord = z.infer<typeof SupervisorRecord>;
