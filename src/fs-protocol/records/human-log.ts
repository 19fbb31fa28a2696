import { z } from "zod";
import { NonEmpty } from "../../base/plain-values.ts";
import { copiedRecordOf } from "./copied-at-once.ts";
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
import { CommandSettings } from "../home/command-settings.ts";
import { ADDS_NO_BUG } from "./record-rules.ts";

/**
 * `once`: the command for a session that runs elsewhere, whose every record is appended once, however often the
 * command is begun again.
 */
const ONCE = () => ({ once: NonEmpty.optional() });

function humanRecordOf<Kind extends string, Fields extends z.ZodRawShape>(
  kind: Kind,
  fields: () => Fields,
) {
  return recordOf(kind, () => ({ ...fields(), ...ONCE() }));
}

/**
 * `logs/human.log`: what people decide. Written by the CLI (TUI, MCP), read by all; only the order
 * matters.
 */
export const HumanRecord = z.discriminatedUnion("kind", [
  /**
   * The request changed to version `v`, counted from 1. `as=prose`: a planner plans it, whatever
   * its form.
   */
  humanRecordOf("update", () => ({
    v: WireInt,
    sha256: z.string(),
    as: z.literal("prose").optional(),
  })),
  /**
   * `settings`: from here on these commands replace those of `session.json`, each value whole. It counts only in the first
   * answer to an open question about the base, if that means "look again" (`commands-in-force.ts`).
   */
  humanRecordOf("answer", () => ({
    question: NonEmpty,
    text: Reason,
    settings: wireJson(CommandSettings).optional(),
  })),
  humanRecordOf("pause", () => ({})),
  /** `fix=all`: from here on, findings that `noFix` leaves to people are fixed too. */
  humanRecordOf("resume", () => ({
    fix: z.literal("all").optional(),
  })),
  humanRecordOf("stop", () => ({})),
  recordOf("add", () => ({ finding: wireJson(Finding), ...ONCE() }), ADDS_NO_BUG),
  humanRecordOf("dismiss", () => ({
    id: NonEmpty,
    why: Reason,
  })),
  /** The planner's plan with these bytes may come into force; a plan with other bytes may not. */
  humanRecordOf("plan.approve", () => ({ plan: PlanSha })),
  /** The work is good as it is at this commit. */
  humanRecordOf("approve", () => ({ at: Oid.optional() })),
  /** The work was shipped at this commit; no later record of a person changes the session. */
  copiedRecordOf("done", () => ({
    at: Oid,
    /** The remote that it was pushed to, and the pull request's URL. */
    remote: NonEmpty.optional(),
    url: NonEmpty.optional(),
    ...ONCE(),
  })),
  /** The session was abandoned: all roles stop, and no later record of a person changes it. */
  humanRecordOf("abandon", () => ({})),
  /** The finished work was rejected for good; otherwise like `abandon`. */
  humanRecordOf("reject", () => ({ at: Oid.optional() })),
  /** The session continues as this revision: all roles stop. `resume` undoes it. */
  humanRecordOf("revise", () => ({ revision: WireInt })),
  /**
   * A person edited TASKS.md while no builder ran; the edited text is staged as `plans/<plan>.md`.
   */
  humanRecordOf("edit", () => ({
    plan: PlanSha,
    /** The plan in force that was edited; absent before the first plan. */
    base: PlanSha.optional(),
    /** Version of the request that the edited plan was made for. */
    request: WireInt,
    milestones: WireMilestones,
    /** All ticked boxes in milestones that are not recorded. */
    ticks: WireTicks,
    /** Accepted ticks that the person removed, by the ordinals of the edited text. */
    cleared: WireTicks,
  })),
  /** New limits, for the whole session or for each milestone. */
  humanRecordOf("budget", () => ({
    of: z.enum(["session", "milestone"]),
    limits: wireJson(Budget),
  })),
  /**
   * The session gives what it did not use of its budget to another one of its fleet: from here on its own budget is
   * smaller by that. Appended before the other's `budget.grant`, and also after the session was closed.
   */
  copiedRecordOf("budget.give", () => ({
    /** Names this share; no other share of the fleet has it. */
    id: NonEmpty,
    to: NonEmpty,
    amounts: wireJson(Budget),
    ...ONCE(),
  })),
  /** What a session of the same fleet has given: the budget is larger by that. A share counts once, by its id. */
  copiedRecordOf("budget.grant", () => ({
    id: NonEmpty,
    from: NonEmpty,
    amounts: wireJson(Budget),
    ...ONCE(),
  })),
  /** Tells the supervisor to replace the role's process with a new one. */
  humanRecordOf("restart", () => ({ role: RoleField })),
  /**
   * From here on the session belongs to another machine: only the home whose `place.json` names the id of the last
   * such record may be written (`mayWriteHere`). It is the last record that its writer appends.
   */
  copiedRecordOf("moved", () => ({
    /** The executor to which the session moved, as a person writes it after `--on`. */
    to: NonEmpty,
    /** Names this move; no other move of any session has it. */
    id: NonEmpty,
    ...ONCE(),
  })),
]);
export type HumanRecord = z.infer<typeof HumanRecord>;
