import { holdWords } from "../../agents/supervisor/hold-words.ts";
import { holdOnAll } from "../../agents/supervisor/session-facts.ts";
import type { Unusual } from "../../agents/unusual/find-unusual.ts";
import { ROLES, type Role } from "../../base/role.ts";
import type { BaseTests } from "../../fs-protocol/records/base-tests.ts";
import {
  WISP_STATES,
  type SessionStateName,
  type WispState,
} from "../../session/rules/session-machine.ts";
import { lookedAt } from "../../session/state/looked-at.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { drainEndsMs } from "../../session/steps/drain-window.ts";
import { spentBy, type Spent } from "../cost/cost-view.ts";
import { laterOf } from "../../workspace/finished/later-commits.ts";
import { noSandboxWords } from "../../workspace/sandbox-words.ts";
import { closedCounts } from "./closed-items.ts";
import { closedView, type ClosedView } from "../next/closed-view.ts";
import { dismissedItems, type DismissedItem } from "./dismissed-items.ts";
import { keptEdits, type KeptEdit } from "./kept-edits.ts";
import { milestoneStatuses, type MilestoneStatus } from "./milestone-status.ts";
import { nextCommands } from "../next/next-commands.ts";
import { openItems, type OpenItem } from "./open-items.ts";
import { openQuestions, type OpenQuestion } from "../../workspace/session/open-questions.ts";
import { owed, type Debt } from "../../workspace/session/owed.ts";
import { remoteStatus, type RemoteStatus } from "./remote-status.ts";
import { isReopened, waitingSinceEnd } from "../../workspace/finished/reopened-words.ts";
import type { DamagedRevision, RevisionStatus } from "../../workspace/finished/revision-status.ts";
import {
  roleActivity,
  rolesFinishing,
  type RoleActivity,
} from "../../workspace/session/role-activity.ts";
import { haltOf, type Phase } from "../../session/state/stage.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { setAsideWork, type SetAside } from "./set-aside.ts";
import { sessionStage } from "../../workspace/session/session-stage.ts";
import type { SensitiveChange } from "../../workspace/finished/sensitive-changes.ts";
import type { StatusFacts } from "../../workspace/session/status-facts.ts";
import { meanwhileWords, saidMeanwhile } from "./meanwhile-words.ts";
import { troubleWords } from "./trouble-words.ts";

/** What a turn made of the attempts that stalled at a milestone that is not finished. */
export interface StuckHintStatus {
  readonly milestone: string;
  /** Attempts in a row without progress before it. */
  readonly stalled: number;
  readonly text: string;
  /** Path of `.stuck-hint.md`; absent where that holds another hint. */
  readonly file: string | undefined;
}

/** What `wisp status --json` prints; fields are added, never renamed or removed. */
export interface StatusView {
  readonly schema: "wisp.status/1";
  readonly session: string;
  readonly branch: string;
  readonly base: string;
  /** Absent when the branch is gone. */
  readonly head: string | undefined;
  readonly home: string;
  /** Of its roles: `hibernated` ones were released, and come back when they are needed; `terminated`: never. */
  readonly clones: "active" | "hibernated" | "terminated";
  readonly phase: Phase;
  /** As people name it (`docs/ARCHITECTURE.md`), and as wisp computes it. */
  readonly state: SessionStateName;
  readonly stage: WispState;
  readonly isSupervised: boolean;
  readonly isPaused: boolean;
  readonly isStopped: boolean;
  /** Roles that finish their turn although a stop is in force or the session is over: their engines work. */
  readonly finishing: readonly Role[];
  readonly end: { readonly how: "complete" | "stuck"; readonly reason: string } | undefined;
  /** What a person asked for after the end, as phrases; the builder has not taken it up. */
  readonly waiting?: readonly string[] | undefined;
  /** How a person closed it for good: its work was taken, or it was given up. */
  readonly closed: ClosedView | undefined;
  /** Of a complete session: commits on its branch that came afterwards, and that nobody reviewed. */
  readonly laterCommits: number;
  /** The session whose `resume` has them reviewed: itself, or one of its family. */
  readonly laterReviewedBy: string | undefined;
  /** Where there are such: up to where it was reviewed. */
  readonly reviewedTo?: string | undefined;
  /** Of work that was taken: reviewed commits came to it since, which `wisp done` takes in its turn. */
  readonly isRevisedSince?: boolean | undefined;
  readonly halt: string | undefined;
  /** What keeps everybody from having a turn: a login, a limit or a budget. */
  readonly hold: string | undefined;
  /** How the last supervisor ended, when none runs. */
  readonly supervisorEnd: { readonly code: number; readonly reason: string } | undefined;
  readonly roles: readonly RoleActivity[];
  readonly owed: readonly Debt[];
  /** "Reviewed X / Y commits". */
  readonly reviewed: { readonly commits: number; readonly of: number };
  readonly milestones: readonly MilestoneStatus[];
  readonly hints: readonly StuckHintStatus[];
  readonly openItems: readonly OpenItem[];
  readonly fixed: { readonly findings: number; readonly bugs: number };
  /** Of which it was agreed that nothing is to be changed. */
  readonly unchanged?: { readonly findings: number; readonly bugs: number };
  /** What a person closed for good. */
  readonly dismissed: readonly DismissedItem[];
  /** What all turns used. */
  readonly spent: Spent;
  readonly questions: readonly OpenQuestion[];
  /** What verify said of the base, where it was red: nobody is blamed for it. `failing`: where it names tests. */
  readonly redAtBase: { readonly failing: readonly string[] } | undefined;
  /** In the drain window: for how long the builder goes on waiting; absent while the clock stands still. */
  readonly drainLeftMs: number | undefined;
  readonly quarantined: { readonly lines: number; readonly files: readonly string[] };
  /** What works less well than it could, and why. */
  readonly degraded: readonly string[];
  /** What others wrote into files of the home, and what can be done with it. */
  readonly edits: readonly KeptEdit[];
  /** What somebody did while turns ran that no sandbox confined: their engines, or the person. */
  readonly meanwhile: readonly string[];
  /** Words of people among that. */
  readonly saidMeanwhile: readonly string[];
  /** Files that the work changes and that have something run outside of the session, at its end. */
  readonly sensitive: readonly SensitiveChange[];
  /** What is unusual about the commits of the work, at its end. */
  readonly unusual: readonly Unusual[];
  /** Tests of the session's base that do not pass at its end, and who answers for that. */
  readonly baseTests: readonly BaseTests[];
  /** Where the branch is at the remote; absent: it is not brought to one while it is worked on. */
  readonly remote?: RemoteStatus | undefined;
  /** Tests that were not published, and how to have them back. */
  readonly setAside: readonly SetAside[];
  /** Of a revision: what it mends. */
  readonly parent: { readonly session: string; readonly revision: number } | undefined;
  /** How many revisions of it are complete, and all of them as they stand. */
  readonly revised: number;
  readonly revisions: readonly RevisionStatus[];
  /** Those of its revisions that cannot be read, with what repairs them. */
  readonly damagedRevisions?: readonly DamagedRevision[] | undefined;
  /** Commands that make sense now. */
  readonly next: readonly string[];
}

/** What a status says: a pure function of what was read. */
export function statusView(facts: StatusFacts): StatusView {
  const { session, home, state, alive } = facts;
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
    state: WISP_STATES[stage].name,
    stage,
    isPaused: human.paused,
    isStopped: human.stopped,
    finishing: rolesFinishing(facts),
    ...endView(state),
    closed: closedView(human.closed),
    ...laterView(facts),
    hold: holdView(facts, stage),
    supervisorEnd: isSupervised ? undefined : state.supervisor.lastEnd,
    roles: ROLES.map((role) => roleActivity(role, facts)),
    owed: owed(state),
    reviewed: {
      commits: lookedAt(state).length,
      of: branch.commits.length,
    },
    milestones: milestoneStatuses(state),
    hints: stuckHints(facts),
    openItems: openItems(state),
    ...closedCounts(state),
    dismissed: dismissedItems(state),
    spent: spentBy(state),
    questions: openQuestions(state, session.id),
    redAtBase: redAtBase(state),
    drainLeftMs: drainLeftMs(facts),
    quarantined: quarantinedView(facts),
    degraded: degradedWords(facts),
    edits: keptEdits(facts),
    ...meanwhileView(facts),
    ...workView(facts),
    ...familyView(facts),
    next: nextCommands(facts),
  };
}

/** An end that something has reopened is none any more, nor is what it came of. */
function endView(state: SessionState): Pick<StatusView, "end" | "halt" | "waiting"> {
  const end = endOf(state);
  return {
    end: end && { how: end.how, reason: end.reason },
    halt: isReopened(state) ? undefined : haltOf(state.builder)?.explanation,
    waiting: waitingSinceEnd(state),
  };
}

function meanwhileView({ troubles }: StatusFacts): Pick<StatusView, "meanwhile" | "saidMeanwhile"> {
  const acts = troubles?.meanwhile ?? [];
  return { meanwhile: meanwhileWords(acts), saidMeanwhile: saidMeanwhile(acts) };
}

/** What the work is beside its milestones, and where. */
function workView({
  session,
  state,
  sensitive = [],
  unusual = [],
  remoteSeen,
}: StatusFacts): Pick<StatusView, "sensitive" | "unusual" | "baseTests" | "remote" | "setAside"> {
  const remote = remoteStatus(session, state, remoteSeen);
  const setAside = setAsideWork(state, session.branch);
  return { sensitive, unusual, baseTests: state.tester.finalBaseTests, remote, setAside };
}

function quarantinedView({ quarantined }: StatusFacts): StatusView["quarantined"] {
  const files = new Set(quarantined.map(({ path }) => path));
  return { lines: quarantined.length, files: [...files] };
}

function redAtBase({ builder: { baseline } }: SessionState): StatusView["redAtBase"] {
  return baseline?.outcome === "failed" ? { failing: baseline.failing ?? [] } : undefined;
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
  const mends = parent && { session: parent.id, revision: parent.revision };
  return { parent: mends, revised, revisions, damagedRevisions };
}

function clonesView({ state, hasClones, taken }: StatusFacts): StatusView["clones"] {
  const { human } = state;
  if (human.closed !== undefined || taken?.isRevisedSince === false) return "terminated";
  const isAtRest = endOf(state) !== undefined || human.stopped;
  return hasClones === false && isAtRest ? "hibernated" : "active";
}

function degradedWords(facts: StatusFacts): readonly string[] {
  const { verify, sandbox } = facts.session;
  return [
    ...(verify.length > 0 ? [] : [NO_VERIFY]),
    ...noSandboxWords(sandbox),
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
  return hold && holdWords(hold);
}

function drainLeftMs({ state, alive, nowMs }: StatusFacts): number | undefined {
  // Nobody waits where nobody runs.
  if (state.builder.stage.kind !== "window" || !alive.has("builder")) return undefined;
  const waiting = owed(state).map(({ role }) => role);
  if (waiting.length === 0) return 0;
  const endsMs = drainEndsMs(state, waiting);
  return endsMs === undefined ? undefined : Math.max(0, endsMs - nowMs);
}
