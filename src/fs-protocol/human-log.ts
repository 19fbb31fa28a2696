import { z } from "zod";
import { Role } from "../base/role.ts";
import { Finding } from "./finding.ts";
import { Reason, RecordTime, wireJson, WireInt } from "./record-fields.ts";
import { ADDS_NO_BUG } from "./record-rules.ts";

/** `logs/human.log`: what people say. Written by the CLI (TUI, MCP), read by all; only the order counts. */
export const HumanRecord = z.discriminatedUnion("kind", [
  /** The request changed: version `v`, counted from 1. */
  z.strictObject({ kind: z.literal("update"), time: RecordTime, v: WireInt, sha256: z.string() }),
  z.strictObject({
    kind: z.literal("answer"),
    time: RecordTime,
    question: z.string().min(1),
    text: Reason,
  }),
  z.strictObject({ kind: z.literal("pause"), time: RecordTime }),
  z.strictObject({ kind: z.literal("resume"), time: RecordTime }),
  z.strictObject({ kind: z.literal("stop"), time: RecordTime }),
  z
    .strictObject({ kind: z.literal("add"), time: RecordTime, finding: wireJson(Finding) })
    .refine(ADDS_NO_BUG.holds, ADDS_NO_BUG),
  z.strictObject({
    kind: z.literal("dismiss"),
    time: RecordTime,
    id: z.string().min(1),
    why: Reason,
  }),
  z.strictObject({ kind: z.literal("approve"), time: RecordTime }),
  /** To the supervisor: the role's process is to make room for another one. */
  z.strictObject({ kind: z.literal("restart"), time: RecordTime, role: Role }),
]);
export type HumanRecord = z.infer<typeof HumanRecord>;
