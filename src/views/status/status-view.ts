import { workView, type WorkView } from "./work-view.ts";
import { holdWords } from "../../agents/supervisor/hold-words.ts";
import { heldEngines, type HeldEngine } from "../../workspace/session/held-engines.ts";
import { holdOnAll } from "../../agents/supervisor/session-facts.ts";
import { ROLES, type Role } from "../../base/role.ts";
import {
  WISP_STATES,
  type SessionStateName,
  type WispState,
} from "../../session/rules/session-machine.ts";
import { commandsInForce, replacedIn } from "../../session/commands/commands-in-force.ts";
import { answeredCommits } from "../../session/state/answered-commits.ts";
import { heldBranch } from "../../session/steps/held-branch.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { drainEndsMs } from "../../session/steps/drain-window.ts";
import { sessionBudget, spentBy, type BudgetUse, type Spent } from "../cost/cost-view.ts";
import { laterOf } from "../../workspace/finished/later-commits.ts";
import { noSandboxWords } from "../../workspace/sandbox-program.ts";
import type { Looked } from "../../workspace/finished/verified-at.ts";
import { closedCounts } from "./closed-items.ts";
import { closedView, type ClosedView } from "../next/closed-view.ts";
import { dismissedItems, type DismissedItem } from "./dismissed-items.ts";
import { endView } from "./end-view.ts";
import { elsewhereOf, type Elsewhere } from "./elsewhere.ts";
import { keptEdits, type KeptEdit } from "./kept-edits.ts";
import { milestoneStatuses, type MilestoneStatus } from "./milestone-status.ts";
import { nextCommands } from "../next/next-commands.ts";
import { openItems, type OpenItem } from "./open-items.ts";
import { openQuestions, type OpenQuestion } from "../../workspace/session/open-questions.ts";
import { owed, type Debt } from "../../workspace/session/owed.ts";
import { planToApprove, type PlanToApprove } from "./plan-to-approve.ts";
import type { DamagedRevision, RevisionStatus } from "../../workspace/finished/revision-status.ts";
import {
  roleActivity,
  rolesFinishing,
  type RoleActivity,
} from "../../workspace/session/role-activity.ts";
import type { Phase } from "../../session/state/stage.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { lastSeen } from "../../workspace/session/read-leases.ts";
import { sessionStage } from "../../workspace/session/session-stage.ts";
import type { StatusFacts } from "../../workspace/session/status-facts.ts";
import { meanwhileWords, saidMeanwhile } from "./meanwhile-words.ts";
import { troubleWords } from "./trouble-words.ts";

/** A hint that a turn wrote about stalled attempts at an unfinished milestone. */
export interface StuckHintStatus {
  readonly milestone: string;
  /** Attempts in a row without progress before it. */
  readonly stalled: number;
  readonly text: string;
  /** Path of `.stuck-hint.md`; absent if that file holds another hint. */
  readonly file: string | undefined;
}

/** What `wisp status --json` prints; fields are added, never renamed or removed. */
export interface StatusView extends WorkView {
  readonly schema: "wisp.status/1";
  readonly session: string;
  readonly branch: string;
  readonly base: string;
  /** Absent when the branch is gone. */
  readonly head: string | undefined;
  readonly home: string;
  /** The clones of its roles. `hibernated`: removed, and recreated when needed. `terminated`: removed for good. */
  readonly clones: "active" | "hibernated" | "terminated";
  readonly phase: Phase;
  /** The state as people name it (`docs/ARCHITECTURE.md`), and the finer one that wisp computes. */
  readonly state: SessionStateName;
  readonly stage: WispState;
  readonly isSupervised: boolean;
  /** Where it runs, if that is elsewhere. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Where it moved: what is here is as it was then. */
  readonly movedTo?: string | undefined;
  readonly isPaused: boolean;
  readonly isStopped: boolean;
  /** Roles whose engines are still finishing a turn although a stop is in force or the session is over. */
  readonly finishing: readonly Role[];
  readonly end: { readonly how: "complete" | "stuck"; readonly reason: string } | undefined;
  /** True if the session is complete, and no test is known to have run in it; else absent. */
  readonly nothingVerified?: true | undefined;
  /** What a person asked for after the end and the builder has not started yet, as phrases. */
  readonly waiting?: readonly string[] | undefined;
  /** How a person closed the session for good: shipped, abandoned or rejected. */
  readonly closed: ClosedView | undefined;
  /** For a complete session: unreviewed commits that were added to its branch afterwards. */
  readonly laterCommits: number;
  /** The session whose `resume` reviews them: this session, or one of its family. */
  readonly laterReviewedBy: string | undefined;
  /** If there are later commits: the last reviewed commit. */
  readonly reviewedTo?: string | undefined;
  /** For shipped work: whether reviewed commits were added since, which the next `wisp done` ships. */
  readonly isRevisedSince?: boolean | undefined;
  readonly halt: string | undefined;
  /** What keeps all roles from having a turn: a login, a limit or a budget. */
  readonly hold: string | undefined;
  /** The engines that are left alone for a time, also if others take their turns. */
  readonly heldEngines?: readonly HeldEngine[];
  /** How the last supervisor ended, if none is running. */
  readonly supervisorEnd: { readonly code: number; readonly reason: string } | undefined;
  readonly roles: readonly RoleActivity[];
  readonly owed: readonly Debt[];
  /** "Reviewed X / Y commits". */
  readonly reviewed: { readonly commits: number; readonly of: number };
  readonly milestones: readonly MilestoneStatus[];
  readonly hints: readonly StuckHintStatus[];
  readonly openItems: readonly OpenItem[];
  readonly fixed: { readonly findings: number; readonly bugs: number };
  /** Items whose openers agreed that no change is needed. */
  readonly unchanged?: { readonly findings: number; readonly bugs: number };
  /** What a person closed for good. */
  readonly dismissed: readonly DismissedItem[];
  /** What all turns used. */
  readonly spent: Spent;
  /** The limits of the session and where they come from; absent if it has none. */
  readonly budget?: readonly BudgetUse[] | undefined;
  readonly questions: readonly OpenQuestion[];
  /** The plan that waits for a person's approval. */
  readonly waitingPlan?: PlanToApprove | undefined;
  /** Set if verify failed at the base, which is not blamed on the work. `failing`: the tests that it named. */
  readonly redAtBase: ({ readonly failing: readonly string[] } & Looked) | undefined;
  /** The work tree that has the branch checked out, so that what is done cannot be published. */
  readonly heldAt?: string | undefined;
  /** In the drain window: how long the builder keeps waiting; absent while the clock is paused. */
  readonly drainLeftMs: number | undefined;
  readonly quarantined: { readonly lines: number; readonly files: readonly string[] };
  /** What works less well than it should, and why. */
  readonly degraded: readonly string[];
  /** Edits by others to files of the home, and what can be done with them. */
  readonly edits: readonly KeptEdit[];
  /** What engines, commands or a person did while turns and commands ran without a sandbox. */
  readonly meanwhile: readonly string[];
  /** The words of people among those. */
  readonly saidMeanwhile: readonly string[];
  /** For a revision: the session that it revises. */
  readonly parent: { readonly session: string; readonly revision: number } | undefined;
  /** How many revisions are complete, and the status of every revision. */
  readonly revised: number;
  readonly revisions: readonly RevisionStatus[];
  /** The revisions that cannot be read, with the commands that repair them. */
  readonly damagedRevisions?: readonly DamagedRevision[] | undefined;
  /** Commands that make sense now. */
  readonly next: readonly string[];
}

/** The status of a session; a pure function of the facts. */
export function statusView(now: StatusFacts): StatusView {
  const { session, home, state, alive } = now;
  const facts = lastSeen(now, home);
  const { builder, branch, human } = state;
  const isSupervised = alive.has("supervisor");
  const stage = sessionStage(facts);
  return {
    schema: "wisp.status/1",
    session: session.id,
    branch: session.branch,
    base: session.base,
    head: branch.head,
    home: home.directory,
    clones: clonesView(facts),
    phase: builder.stage.kind,
    isSupervised,
    ...{ elsewhere: elsewhereOf(facts), movedTo: facts.movedTo },
    ...{ state: WISP_STATES[stage].name, stage },
    ...{ isPaused: human.paused, isStopped: human.stopped },
    finishing: rolesFinishing(facts),
    ...endView(state),
    closed: closedView(human.closed),
    ...laterView(facts),
    ...{ hold: holdView(facts, stage), heldEngines: heldEngines(facts) },
    supervisorEnd: isSupervised ? undefined : state.supervisor.lastEnd,
    roles: ROLES.map((role) => roleActivity(role, facts)),
    owed: owed(state),
    reviewed: {
      commits: answeredCommits(state).length,
      of: branch.commits.length,
    },
    milestones: milestoneStatuses(state),
    hints: stuckHints(facts),
    openItems: openItems(state),
    ...closedCounts(state),
    dismissed: dismissedItems(state),
    ...{ spent: spentBy(state), budget: sessionBudget(state) },
    questions: openQuestions(state, session.id),
    waitingPlan: planToApprove(state),
    ...{ redAtBase: redAtBase(state), heldAt: heldAt(state, stage) },
    drainLeftMs: drainLeftMs(facts),
    quarantined: quarantinedView(facts),
    degraded: degradedWords(facts),
    edits: keptEdits(facts),
    ...meanwhileView(facts),
    ...workView(facts),
    ...familyView(facts),
    next: facts.movedTo === undefined ? nextCommands(facts) : [],
  };
}

function meanwhileView({ troubles }: StatusFacts): Pick<StatusView, "meanwhile" | "saidMeanwhile"> {
  const acts = troubles?.meanwhile ?? [];
  return { meanwhile: meanwhileWords(acts), saidMeanwhile: saidMeanwhile(acts) };
}

function quarantinedView({ quarantined }: StatusFacts): StatusView["quarantined"] {
  const files = new Set(quarantined.map(({ path }) => path));
  return { lines: quarantined.length, files: [...files] };
}

/** A unit that waits for a branch says so until its role goes on: only a running session knows that it still does. */
function heldAt(state: SessionState, stage: WispState): StatusView["heldAt"] {
  return stage === "checked-out" ? heldBranch(state)?.directory : undefined;
}

function redAtBase({ builder: { baseline } }: SessionState): StatusView["redAtBase"] {
  if (baseline?.outcome !== "failed") return undefined;
  const { failing = [], looks, split } = baseline;
  return { failing, looks, split };
}

function laterView(
  facts: StatusFacts,
): Pick<StatusView, "laterCommits" | "laterReviewedBy" | "reviewedTo" | "isRevisedSince"> {
  const { count, by, after } = laterOf(facts);
  const isRevisedSince = facts.taken?.isRevisedSince;
  return { laterCommits: count, laterReviewedBy: by, reviewedTo: after, isRevisedSince };
}

function familyView({
  session: { parent },
  revised = 0,
  revisions = [],
  damagedRevisions = [],
}: StatusFacts): Pick<StatusView, "parent" | "revised" | "revisions" | "damagedRevisions"> {
  const revises = parent && { session: parent.id, revision: parent.revision };
  return { parent: revises, revised, revisions, damagedRevisions };
}

function clonesView({ state, hasClones, taken, mirrors }: StatusFacts): StatusView["clones"] {
  const { human } = state;
  // Whether a place has them is not known here.
  if (mirrors !== undefined) return "active";
  if (human.closed !== undefined || taken?.isRevisedSince === false) return "terminated";
  const isAtRest = endOf(state) !== undefined || human.stopped;
  return hasClones === false && isAtRest ? "hibernated" : "active";
}

function degradedWords(facts: StatusFacts): readonly string[] {
  const { session, state } = facts;
  const hasVerify =
    state.hasVerify ?? commandsInForce(session, replacedIn(session, state)).verify.length > 0;
  return [
    ...(hasVerify ? [] : [NO_VERIFY]),
    ...noSandboxWords(session.sandbox),
    ...troubleWords(facts),
  ];
}

const NO_VERIFY =
  "no verify command: work counts as done by its ticks and commits alone (set `verify` in .wisp/config.yaml)";

function stuckHints({ state: { builder }, home }: StatusFacts): readonly StuckHintStatus[] {
  return [...builder.hints.values()].flatMap(({ m: milestone, stalled, text }) => {
    const file = builder.lastHint?.m === milestone ? home.stuckHint : undefined;
    return text === undefined ? [] : [{ milestone, stalled, text, file }];
  });
}

function holdView({ state, nowMs }: StatusFacts, stage: WispState): string | undefined {
  const hold = stage === "held" ? holdOnAll(state, nowMs) : undefined;
  return hold && holdWords(hold, nowMs);
}

function drainLeftMs({ state, alive, nowMs }: StatusFacts): number | undefined {
  // If the builder is not running, nothing is waiting.
  if (state.builder.stage.kind !== "window" || !alive.has("builder")) return undefined;
  const waiting = owed(state).map(({ role }) => role);
  if (waiting.length === 0) return 0;
  const endsMs = drainEndsMs(state, waiting);
  return endsMs === undefined ? undefined : Math.max(0, endsMs - nowMs);
}
