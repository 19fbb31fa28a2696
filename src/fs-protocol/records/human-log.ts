import { z } from "zod";
import { Oid } from "../../base/oid.ts";
import { RoleField } from "../codec/record-fields.ts";
import { Finding } from "./finding.ts";
import {
  PlanSha,
  Reason,
  RecordTime,
  wireJson,
  WireInt,
  WireMilestones,
  WireTicks,
} from "../codec/record-fields.ts";
import { Budget } from "../home/budget.ts";
import { ADDS_NO_BUG } from "./record-rules.ts";

/** `logs/human.log`: what people say. Written by the CLI (TUI, MCP), read by all; only the order counts. */
export const HumanRecord = z.discriminatedUnion("kind", [
  /** The request changed: version `v`, counted from 1. `as=prose`: a planner plans it, whatever its form. */
  z.object({
    kind: z.literal("update"),
    time: RecordTime,
    v: WireInt,
    sha256: z.string(),
    as: z.literal("prose").optional(),
  }),
  z.object({
    kind: z.literal("answer"),
    time: RecordTime,
    question: z.string().min(1),
    text: Reason,
  }),
  z.object({ kind: z.literal("pause"), time: RecordTime }),
  /** `fix=all`: what the session's `noFix` leaves to people is fixed from here on. */
  z.object({
    kind: z.literal("resume"),
    time: RecordTime,
    fix: z.literal("all").optional(),
  }),
  z.object({ kind: z.literal("stop"), time: RecordTime }),
  z
    .object({ kind: z.literal("add"), time: RecordTime, finding: wireJson(Finding) })
    .refine(ADDS_NO_BUG.holds, ADDS_NO_BUG),
  z.object({
    kind: z.literal("dismiss"),
    time: RecordTime,
    id: z.string().min(1),
    why: Reason,
  }),
  /** The work is good as it stands, at this commit. */
  z.object({ kind: z.literal("approve"), time: RecordTime, at: Oid.optional() }),
  /** The work was taken at this commit; nothing that a person says changes the session after it. */
  z.object({
    kind: z.literal("done"),
    time: RecordTime,
    at: Oid,
    /** Name of the remote that it was pushed to, and address of the pull request. */
    remote: z.string().min(1).optional(),
    url: z.string().min(1).optional(),
  }),
  /** The session was given up: everybody stops, and nothing that a person says changes it after it. */
  z.object({ kind: z.literal("abandon"), time: RecordTime }),
  /** The work was refused for good: as `abandon`, but said of what was finished. */
  z.object({ kind: z.literal("reject"), time: RecordTime, at: Oid.optional() }),
  /** The session goes on as this revision of it: everybody stops. `resume` takes it back. */
  z.object({ kind: z.literal("revise"), time: RecordTime, revision: WireInt }),
  /** A person edited TASKS.md while no builder ran; the edited text is staged as `plans/<plan>.md`. */
  z.object({
    kind: z.literal("edit"),
    time: RecordTime,
    plan: PlanSha,
    /** The plan in force that was edited; absent before the first. */
    base: PlanSha.optional(),
    /** Version of the request that the edited plan was made for. */
    request: WireInt,
    milestones: WireMilestones,
    /** All boxes that are ticked in milestones that are not recorded. */
    ticks: WireTicks,
    /** Accepted ticks that the person took back, by the ordinals of the edited text. */
    cleared: WireTicks,
  }),
  /** Other limits than before: for the whole session, or for each milestone. */
  z.object({
    kind: z.literal("budget"),
    time: RecordTime,
    of: z.enum(["session", "milestone"]),
    limits: wireJson(Budget),
  }),
  /** To the supervisor: the role's process is to make room for another one. */
  z.object({ kind: z.literal("restart"), time: RecordTime, role: RoleField }),
]);
export type HumanRecord = z.infer<typeof HumanRecord>;
