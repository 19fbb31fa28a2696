import { z } from "zod";
import { keptRecordOf } from "./kept-at-once.ts";
import { Oid } from "../../base/oid.ts";
import {
  PlanSha,
  Reason,
  RoleField,
  WireInt,
  WireMilestones,
  WireTicks,
  recordOf,
  wireJson,
} from "../codec/record-fields.ts";
import { Finding } from "./finding.ts";
import { Budget } from "../home/budget.ts";
import { ADDS_NO_BUG } from "./record-rules.ts";

/** `logs/human.log`: what people say. Written by the CLI (TUI, MCP), read by all; only the order counts. */
export const HumanRecord = z.discriminatedUnion("kind", [
  /** The request changed: version `v`, counted from 1. `as=prose`: a planner plans it, whatever its form. */
  recordOf("update", {
    v: WireInt,
    sha256: z.string(),
    as: z.literal("prose").optional(),
  }),
  recordOf("answer", {
    question: z.string().min(1),
    text: Reason,
  }),
  recordOf("pause", {}),
  /** `fix=all`: what the session's `noFix` leaves to people is fixed from here on. */
  recordOf("resume", {
    fix: z.literal("all").optional(),
  }),
  recordOf("stop", {}),
  recordOf("add", { finding: wireJson(Finding) }).refine(ADDS_NO_BUG.holds, ADDS_NO_BUG),
  recordOf("dismiss", {
    id: z.string().min(1),
    why: Reason,
  }),
  /** The work is good as it stands, at this commit. */
  recordOf("approve", { at: Oid.optional() }),
  /** The work was taken at this commit; nothing that a person says changes the session after it. */
  keptRecordOf("done", {
    at: Oid,
    /** Name of the remote that it was pushed to, and address of the pull request. */
    remote: z.string().min(1).optional(),
    url: z.string().min(1).optional(),
  }),
  /** The session was given up: everybody stops, and nothing that a person says changes it after it. */
  recordOf("abandon", {}),
  /** The work was refused for good: as `abandon`, but said of what was finished. */
  recordOf("reject", { at: Oid.optional() }),
  /** The session goes on as this revision of it: everybody stops. `resume` takes it back. */
  recordOf("revise", { revision: WireInt }),
  /** A person edited TASKS.md while no builder ran; the edited text is staged as `plans/<plan>.md`. */
  recordOf("edit", {
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
  recordOf("budget", {
    of: z.enum(["session", "milestone"]),
    limits: wireJson(Budget),
  }),
  /** To the supervisor: the role's process is to make room for another one. */
  recordOf("restart", { role: RoleField }),
]);
export type HumanRecord = z.infer<typeof HumanRecord>;
