import { z } from "zod";
import { keptRecordOf } from "./kept-at-once.ts";
import { Reason, RoleField, WireInt, recordOf } from "../codec/record-fields.ts";
import { FileRestored } from "./common-records.ts";

/** `logs/supervisor.log`. */
export const SupervisorRecord = z.discriminatedUnion("kind", [
  recordOf("supervisor.start", { pid: WireInt }),
  keptRecordOf("supervisor.end", {
    code: WireInt,
    reason: Reason,
  }),
  /** A role was started by this supervisor. */
  recordOf("role.spawn", { role: RoleField, pid: WireInt }),
  recordOf("role.exit", {
    role: RoleField,
    code: WireInt.optional(),
    reason: Reason,
  }),
  /** A live process holds the role's lease: lifts `role.failed`. */
  recordOf("lease", { role: RoleField, pid: WireInt }),
  /** A crash loop: the role is not started again until a person does. */
  keptRecordOf("role.failed", { role: RoleField, reason: Reason }),
  FileRestored,
  /** A person is told of something beyond the terminal, once: written before they are. */
  recordOf("notice", {
    about: z.string().min(1).max(200),
    via: z.string().min(1),
    text: Reason,
  }),
  recordOf("note", { text: Reason }),
]);
export type SupervisorRecord = z.infer<typeof SupervisorRecord>;
