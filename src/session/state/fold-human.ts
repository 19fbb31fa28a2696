import type { Oid } from "../../base/oid.ts";
import type { Role } from "../../base/role.ts";
import type { Budget } from "../../fs-protocol/home/budget.ts";
import type { CommandSettings } from "../../fs-protocol/home/command-settings.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import type { PlanMilestone, MilestoneTicks } from "../../fs-protocol/codec/record-fields.ts";
import { foldAnswer } from "../commands/fold-answer.ts";

/** A person's `add` or `dismiss`, with its place in human.log, counted from 0. */
export type HumanItem =
  | { readonly kind: "add"; readonly index: number; readonly finding: Finding }
  | {
      readonly kind: "dismiss";
      readonly index: number;
      readonly id: string;
      readonly why: string;
    };

/** An edit of TASKS.md, with its place in human.log, counted from 0. */
export interface HumanEdit {
  readonly index: number;
  readonly plan: string;
  /** The plan in force that the person edited. */
  readonly base: string | undefined;
  readonly request: number;
  readonly milestones: readonly PlanMilestone[];
  readonly ticks: readonly MilestoneTicks[];
  readonly cleared: readonly MilestoneTicks[];
}

/** An approval of a plan, by the digest of its bytes, with its place in human.log, counted from 0. */
export interface PlanApproved {
  readonly plan: string;
  readonly index: number;
}

/** The kind of a record and the state before it: enough to decide what reopens a session. */
export interface HumanEvent {
  readonly kind: HumanRecord["kind"];
  readonly wasStopped: boolean;
  /** The record is the first answer to its question. */
  readonly isFirst: boolean;
  /** The record came after the session was closed, and changes nothing. */
  readonly isVoid: boolean;
}

/**
 * How a person closed a session: its work was shipped at a commit, or the session was abandoned or
 * rejected.
 */
export type Closed =
  | {
      readonly how: "done";
      readonly at: Oid;
      /** The remote to which it was pushed. */
      readonly remote: string | undefined;
      readonly url: string | undefined;
      /** ISO 8601. */
      readonly time: string;
    }
  | { readonly how: "abandoned" | "rejected" };

/** A move of the session to another machine: where to, and the id that its owner's `place.json` names from then on. */
export type Moved = Pick<Extract<HumanRecord, { readonly kind: "moved" }>, "to" | "id">;

/** A part of a budget that one session of a fleet gives to another, with its place in human.log, counted from 0. */
export interface BudgetShare {
  readonly index: number;
  /** No other share of the fleet has it. */
  readonly id: string;
  /** The other session: the one that receives it, or that gave it. */
  readonly session: string;
  readonly amounts: Budget;
}

/** The fold of `human.log`. */
export interface HumanFold {
  readonly events: readonly HumanEvent[];
  readonly updates: number;
  /**
   * The request in force was accepted as prose, so a planner plans it, whatever its form. If the
   * first request is a plan itself, human.log begins with an edit.
   */
  readonly isProse: boolean;
  readonly items: readonly HumanItem[];
  /** The newest edit of TASKS.md; it includes all edits before it. */
  readonly edit: HumanEdit | undefined;
  /** The first answer to each question, by the id of the question. */
  readonly answers: ReadonlyMap<string, string>;
  /** The commands that came with first answers, by the id of the question (`replacedCommands` says which count). */
  readonly commands: ReadonlyMap<string, CommandSettings>;
  readonly stopped: boolean;
  readonly paused: boolean;
  /** A person asked to fix what `noFix` leaves to people; never revoked. */
  readonly fixesAll: boolean;
  /** The plans that a person approved, each with its last approval. */
  readonly approvedPlans: readonly PlanApproved[];
  readonly approved: boolean;
  /** The commit that was approved last; undefined if the approval names none. */
  readonly approvedAt: Oid | undefined;
  /** Number of the newest revision for which the session was stopped; 0 if there is none. */
  readonly revision: number;
  /** How a person closed the session for good; the first such record counts. */
  readonly closed: Closed | undefined;
  /** How often a person asked to restart each role. */
  readonly restarts: ReadonlyMap<Role, number>;
  /** Limits that a person set after the session had begun. */
  readonly budget: { readonly session: Budget; readonly milestone: Budget };
  /** What the session gave of its budget to others of its fleet, and was granted by them; each share once. */
  readonly given: readonly BudgetShare[];
  readonly granted: readonly BudgetShare[];
  /** The place in human.log at which a person last set each limit of the session, counted from 0. */
  readonly limitsAt: Readonly<Partial<Record<keyof Budget, number>>>;
  /** The last move of the session, which says who owns it, closed or not; undefined if it never moved. */
  readonly moved: Moved | undefined;
  /** When it moved, in ms since 1970: conversations of engines that were held before were left behind. */
  readonly movedMs: number | undefined;
}

export const EMPTY_HUMAN: HumanFold = {
  events: [],
  updates: 0,
  isProse: true,
  items: [],
  edit: undefined,
  answers: new Map(),
  commands: new Map(),
  stopped: false,
  paused: false,
  fixesAll: false,
  approvedPlans: [],
  approved: false,
  approvedAt: undefined,
  revision: 0,
  closed: undefined,
  restarts: new Map(),
  budget: { session: {}, milestone: {} },
  given: [],
  granted: [],
  limitsAt: {},
  moved: undefined,
  movedMs: undefined,
};

/**
 * Applies `done`. Shipped work may be shipped again, with a revision of it or to another remote. An
 * abandoned or rejected session stays closed as it is.
 */
function shipped(
  before: Closed | undefined,
  { at, remote, url, time }: Extract<HumanRecord, { readonly kind: "done" }>,
): Closed {
  if (before === undefined) return { how: "done", at, remote, url, time };
  if (before.how !== "done") return before;
  const sameCommit = at === before.at ? before : undefined;
  return {
    ...{ how: "done", at, time: sameCommit?.time ?? time },
    ...{ remote: remote ?? sameCommit?.remote, url: url ?? sameCommit?.url },
  };
}

/** Applies one record of `human.log`. */
export function foldHuman(fold: HumanFold, record: HumanRecord): HumanFold {
  const isFirst = record.kind === "answer" && !fold.answers.has(record.question);
  const isVoid = fold.closed !== undefined;
  const event: HumanEvent = { kind: record.kind, wasStopped: fold.stopped, isFirst, isVoid };
  const next = { ...fold, events: [...fold.events, event] };
  const index = fold.events.length;
  switch (record.kind) {
    case "update":
      return { ...next, updates: fold.updates + 1, isProse: record.as === "prose" };
    case "answer":
      return isFirst ? foldAnswer(next, record, isVoid) : next;
    case "pause":
      return { ...next, paused: true };
    case "resume":
      return resumed(next, record.fix === "all");
    case "stop":
      return { ...next, stopped: true };
    case "done":
      return { ...next, stopped: true, closed: shipped(fold.closed, record) };
    case "abandon":
      return { ...next, stopped: true, closed: fold.closed ?? { how: "abandoned" } };
    case "reject":
      return { ...next, stopped: true, closed: fold.closed ?? { how: "rejected" } };
    case "revise":
      return revised(next, record.revision);
    case "plan.approve":
      return { ...next, approvedPlans: withApproval(fold.approvedPlans, record.plan, index) };
    case "approve":
      return { ...next, approved: true, approvedAt: record.at };
    case "restart":
      return { ...next, restarts: oneMore(fold.restarts, record.role) };
    case "budget":
      return limited(next, record, index);
    case "budget.give":
    case "budget.grant":
      return shared(next, record, index);
    case "edit":
      return { ...next, edit: editOf(record, index), isProse: fold.isProse && index > 0 };
    case "add":
      return { ...next, items: [...fold.items, { kind: "add", index, finding: record.finding }] };
    case "dismiss":
      return { ...next, items: [...fold.items, dismissalOf(record, index)] };
    case "moved":
      return { ...next, moved: { to: record.to, id: record.id }, movedMs: Date.parse(record.time) };
  }
}

/** Applies `budget`: a limit that a person sets includes everything that was given and granted before. */
function limited(
  fold: HumanFold,
  { of, limits }: Extract<HumanRecord, { readonly kind: "budget" }>,
  index: number,
): HumanFold {
  const budget = { ...fold.budget, [of]: { ...fold.budget[of], ...limits } };
  if (of === "milestone") return { ...fold, budget };
  const set = Object.keys(limits).map((name) => [name, index] as const);
  return { ...fold, budget, limitsAt: { ...fold.limitsAt, ...Object.fromEntries(set) } };
}

/** Applies one share; a share whose id is known already changes nothing. */
function shared(
  fold: HumanFold,
  record: Extract<HumanRecord, { readonly kind: "budget.give" | "budget.grant" }>,
  index: number,
): HumanFold {
  const { id, amounts } = record;
  const isGiven = record.kind === "budget.give";
  const known = isGiven ? fold.given : fold.granted;
  if (known.some((share) => share.id === id)) return fold;
  const share = { index, id, session: isGiven ? record.to : record.from, amounts };
  return { ...fold, [isGiven ? "given" : "granted"]: [...known, share] };
}

function oneMore(restarts: HumanFold["restarts"], role: Role): HumanFold["restarts"] {
  return new Map(restarts).set(role, (restarts.get(role) ?? 0) + 1);
}

/** The last approval of a plan is the one that counts. */
function withApproval(
  approved: HumanFold["approvedPlans"],
  plan: string,
  index: number,
): HumanFold["approvedPlans"] {
  return [...approved.filter((one) => one.plan !== plan), { plan, index }];
}

function resumed(fold: HumanFold, isFixing: boolean): HumanFold {
  const fixesAll = fold.fixesAll || isFixing;
  return { ...fold, paused: false, stopped: fold.closed !== undefined, fixesAll };
}

function editOf(edit: Extract<HumanRecord, { readonly kind: "edit" }>, index: number): HumanEdit {
  const { plan, base, request, milestones, ticks, cleared } = edit;
  return { index, plan, base, request, milestones, ticks, cleared };
}

function dismissalOf(
  { id, why }: Extract<HumanRecord, { kind: "dismiss" }>,
  index: number,
): HumanItem {
  return { kind: "dismiss", index, id, why };
}

/** Applies `revise`: work that is being revised is no longer approved. */
function revised(fold: HumanFold, revision: number): HumanFold {
  const latest = Math.max(fold.revision, revision);
  return { ...fold, stopped: true, approved: false, approvedAt: undefined, revision: latest };
}

/**
 * Whether a record after `done.human` reopens a finished session: update, edit, add, dismiss, the
 * first answer to a question, or a resume after `stuck` or a stop. Stop, pause, approve, revise and
 * restart never do, and neither do records after a person has closed the session. Builder, roles
 * and supervisor all decide by this one predicate (docs/PROTOCOL.md, "What reopens").
 */
export function reopens(
  human: HumanFold,
  done: { readonly how: "complete" | "stuck"; readonly human: number },
): boolean {
  const later = human.events.slice(done.human).filter(({ isVoid }) => !isVoid);
  return later.some((event) => {
    switch (event.kind) {
      case "update":
      case "edit":
      case "add":
      case "dismiss":
        return true;
      case "answer":
        return event.isFirst;
      case "resume":
        return done.how === "stuck" || event.wasStopped;
      default:
        return false;
    }
  });
}
