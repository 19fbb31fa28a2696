import { COST_BY } from "../../base/choices.ts";
import type { LogName } from "../../base/role.ts";
import type { Divergence } from "../../fs-protocol/records/divergence.ts";
import type { Level } from "../../fs-protocol/records/finding.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { costView, type CostView } from "../cost/cost-view.ts";
import { findingsView, type FindingView } from "../findings/findings-view.ts";
import { fileAndLine } from "../status/open-items.ts";
import type { MilestoneStatus } from "../status/milestone-status.ts";
import type { StatusView } from "../status/status-view.ts";
import { NOT_BEGUN, type RecordedMilestone } from "./recorded-milestones.ts";
import type { Timeline } from "./timeline.ts";

/** A milestone of the plan, or of the record if the plan no longer has it. */
export interface ReportMilestone extends RecordedMilestone {
  readonly name: string;
  /** Absent if the plan in force does not have it, or the session's state cannot be read. */
  readonly progress: MilestoneStatus | undefined;
  /** From the end of the last build turn to the end of the review, in milliseconds. */
  readonly lagMs: number | undefined;
}

/** A finding or bug, and how it was closed. */
export interface ReportItem {
  readonly id: string;
  readonly kind: "finding" | "bug";
  readonly level: Level;
  /** The reviewer that opened it, `tester`, or `human`. */
  readonly by: string;
  readonly brief: string;
  /** `src/api.ts:12`; empty if it has no place. */
  readonly place: string;
  readonly isOpen: boolean;
  readonly state: FindingView["state"];
  readonly issue: string;
  readonly suggestion: string;
  readonly fixes: FindingView["fixes"];
  readonly dismissal: string | undefined;
}

/** Where the work departs from the request, as a turn reported it. */
export interface ReportDivergence extends Divergence {
  readonly milestone: string | undefined;
  readonly atMs: number;
}

/** What `wisp report --json` prints; fields are added, never renamed or removed. */
export interface ReportView {
  readonly schema: "wisp.report/1";
  readonly session: string;
  readonly branch: string;
  readonly base: string;
  readonly createdAt: string;
  readonly generatedAt: string;
  /** Absent if the session's state cannot be read; then `trouble` says why. */
  readonly status: StatusView | undefined;
  readonly trouble: readonly string[];
  /** Logs of which nothing could be read, and how many lines of the others were passed over. */
  readonly unread: readonly LogName[];
  readonly passedOver: number;
  readonly timeline: Timeline;
  readonly milestones: readonly ReportMilestone[];
  readonly items: readonly ReportItem[];
  readonly divergences: readonly ReportDivergence[];
  /** What changed in the repository while turns ran, as sentences. */
  readonly meanwhile: readonly string[];
  readonly cost: readonly CostView[];
}

/** What was read of a session for its report. */
export interface ReportFacts {
  readonly session: SessionJson;
  readonly read: { readonly status: StatusView; readonly state: SessionState } | undefined;
  readonly trouble: readonly string[];
  readonly unread: readonly LogName[];
  readonly passedOver: number;
  readonly timeline: Timeline;
  readonly milestones: ReadonlyMap<string, RecordedMilestone>;
  readonly divergences: readonly ReportDivergence[];
  readonly nowMs: number;
}

/** The report of a session; a pure function of what its files hold. */
export function reportView(facts: ReportFacts): ReportView {
  const { session, read, trouble, unread, passedOver, timeline, divergences, nowMs } = facts;
  return {
    schema: "wisp.report/1",
    session: session.id,
    branch: session.branch,
    base: session.base,
    createdAt: session.createdAt,
    generatedAt: new Date(nowMs).toISOString(),
    status: read?.status,
    trouble,
    unread,
    passedOver,
    timeline,
    milestones: milestonesOf(facts),
    items: read === undefined ? [] : findingsView(read.state).map(itemOf),
    divergences,
    meanwhile: read?.status.meanwhile ?? [],
    cost: read === undefined ? [] : COST_BY.map((by) => costView(session.id, read.state, by)),
  };
}

/** First the milestones of the plan in its order, then those that only the record has. */
function milestonesOf({ read, milestones }: ReportFacts): readonly ReportMilestone[] {
  const planned = read?.status.milestones ?? [];
  const progress = new Map(planned.map((one) => [one.name, one]));
  const names = new Set([...progress.keys(), ...milestones.keys()]);
  return [...names].map((name) => {
    const recorded = milestones.get(name) ?? NOT_BEGUN;
    const { range, review } = recorded;
    const lagMs = range && review && review.atMs - range.atMs;
    return { name, progress: progress.get(name), ...recorded, lagMs };
  });
}

function itemOf(finding: FindingView): ReportItem {
  const { id, kind, level, reviewer, brief, isOpen, state, issue, suggestion } = finding;
  return {
    ...{ id, kind, level, by: reviewer, brief, place: fileAndLine(finding) },
    ...{ isOpen, state, issue, suggestion, fixes: finding.fixes, dismissal: finding.dismissal },
  };
}
