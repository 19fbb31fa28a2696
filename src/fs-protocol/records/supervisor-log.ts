import { z } from "zod";
import { NonEmpty } from "../../base/plain-values.ts";
import { copiedRecordOf } from "./copied-at-once.ts";
import { Reason, RoleField, WireInt, recordOf } from "../codec/record-fields.ts";
import { FileRestored } from "./common-records.ts";

/** `logs/supervisor.log`. */
export const SupervisorRecord = z.discriminatedUnion("kind", [
  recordOf("supervisor.start", () => ({ pid: WireInt })),
  copiedRecordOf("supervisor.end", () => ({
    code: WireInt,
    reason: Reason,
  })),
  /** This supervisor started a role. */
  recordOf("role.spawn", () => ({ role: RoleField, pid: WireInt })),
  recordOf("role.exit", () => ({
    role: RoleField,
    code: WireInt.optional(),
    reason: Reason,
  })),
  /** A live process holds the role's lease: lifts `role.failed`. */
  recordOf("lease", () => ({ role: RoleField, pid: WireInt })),
  /** A crash loop: the role does not start again until a person starts it. */
  copiedRecordOf("role.failed", () => ({ role: RoleField, reason: Reason })),
  FileRestored,
  /**
   * A person is notified outside of the terminal; written before the notification, so that it is
   * sent once.
   */
  recordOf("notice", () => ({
    about: NonEmpty.max(200),
    via: NonEmpty,
    text: Reason,
  })),
  recordOf("note", () => ({ text: Reason })),
]);
export type SupervisorRecord = z.infer<typeof SupervisorRecord>;
