import {
  BadPlan,
  NoWaitingPlan,
  OtherPlan,
  PlanLost,
  RejectionEmpty,
  RejectionTooLong,
} from "../../src/actions/plan/plan-failures.ts";
import { expect, test } from "vitest";
import { BadFrame } from "../../src/remote/mirror/frame.ts";
import { ExecutorRefused, ExecutorUnreachable, PlaceGone } from "../../src/base/ports/executor.ts";
import { GivenDamaged } from "../../src/remote/take/take-repository.ts";
import { IdTaken, GivenUp } from "../../src/actions/elsewhere/start-elsewhere.ts";
import { MirrorIsReadOnly, MovedAway } from "../../src/home/write-fence.ts";
import {
  EngineNotCommitted,
  ProgramMissingThere,
  UnfitThere,
} from "../../src/actions/move/check-fit.ts";
import { LeftUnreached, MoveHereFirst, MoveRefused } from "../../src/actions/move/move-words.ts";
import { BranchInTheWay } from "../../src/actions/move/take-in.ts";
import { ParcelDamaged } from "../../src/actions/move/unpack-home.ts";
import { MirrorMissing } from "../../src/actions/elsewhere/await-mirror.ts";
import { NoPlace } from "../../src/cli/far/own-place.ts";
import { PlaceDown, PlaceWaits } from "../../src/actions/elsewhere/await-place.ts";
import { NotLoggedInThere } from "../../src/actions/elsewhere/not-logged-in-there.ts";
import { NoSandboxThere, StartRefusedThere } from "../../src/actions/elsewhere/start-there.ts";
import { NoHomeFolder } from "../../src/workspace/home-folder.ts";
import { NoSuchExecutor } from "../../src/remote/executor-choice.ts";
import { NotElsewhere } from "../../src/remote/open-mirrored.ts";
import { RefusedThere } from "../../src/actions/elsewhere/say-there.ts";
import { PlaceHolds } from "../../src/actions/elsewhere/place-holds.ts";
import { sourceFiles, textOf } from "../tidy/repository.ts";
import { explain } from "../../src/base/explain.ts";
import { FileFailure } from "../../src/base/ports/files.ts";
import { LeaseHeld } from "../../src/base/ports/locks.ts";
import { TraceFailure } from "../../src/host/trace/open-trace.ts";
import { SpawnFailure } from "../../src/base/ports/processes.ts";
import { GitFailure } from "../../src/base/ports/repo.ts";
import { BuilderWrites, PlanMovedOn } from "../../src/cli/commands/adopt-tasks.ts";
import {
  AlreadyAnswered,
  OnlyPersonAccepts,
  AnswerMissing,
  AnswerTooLong,
  NoSuchQuestion,
  NothingAsked,
} from "../../src/actions/up/answer-question.ts";
import {
  SettingsDiffer,
  SettingsNotTaken,
  SettingsUnread,
} from "../../src/actions/up/answer-settings.ts";
import { EngineSpeaks, SessionClosed } from "../../src/workspace/session/append-human.ts";
import { NoTerminal, NotInteractive } from "../../src/actions/attach/attach-role.ts";
import { BranchRewritten } from "../../src/workspace/branch-rewritten.ts";
import { BranchCheckedOut } from "../../src/actions/start/choose-branch.ts";
import { NoSandbox } from "../../src/workspace/choose-sandbox.ts";
import { Declined, Unconfirmed } from "../../src/actions/confirm.ts";
import { DemoDirectory } from "../../src/cli/commands/demo.ts";
import { NoStateFolder } from "../../src/actions/start/no-state-folder.ts";
import { NotPruned } from "../../src/actions/prune/prune-failures.ts";
import { NotGreen } from "../../src/actions/close/not-shippable.ts";
import { ShareNotGiven } from "../../src/actions/fleet/record-share.ts";
import { StillAtWork } from "../../src/actions/close/end-session.ts";
import { NoSuchSession, SessionElsewhere } from "../../src/workspace/find-session.ts";
import { StartStays } from "../../src/actions/elsewhere/abandon-start.ts";
import { BeingStarted } from "../../src/workspace/starting-note.ts";
import { TreeTaken } from "../../src/git/repository/detached-tree.ts";
import { FindingClosed, NoSuchFinding } from "../../src/actions/findings/dismiss-item.ts";
import { StaleDiff } from "../../src/workspace/finished/finished-work.ts";
import { HomeDamaged, HomeRemoved } from "../../src/workspace/home-failures.ts";
import { IllegalReviewed } from "../../src/workspace/finished/illegal-review.ts";
import { NoSuchPlace } from "../../src/actions/findings/locate.ts";
import { PullRequestFailure } from "../../src/actions/close/open-pull-request.ts";
import { HookFailure, HookStopped } from "../../src/actions/close/run-pre-push.ts";
import { RemoteFailure } from "../../src/actions/close/push-branch.ts";
import { SettingsFailure } from "../../src/workspace/settings/read-settings.ts";
import {
  BadRequestPlan,
  RequestAtTerminal,
  RequestBinary,
  RequestEmpty,
  RequestMissing,
  RequestNoFile,
  RequestTooLarge,
} from "../../src/actions/start/request-failures.ts";
import { RevisionsSpent } from "../../src/actions/revise/request-revision.ts";
import { NotReviewed } from "../../src/actions/close/review-decision.ts";
import {
  IsRevision,
  NoRevisionPlan,
  NobodyToAsk,
  RevisionUnfinished,
} from "../../src/actions/revise/revision-failures.ts";
import { AlreadyStarted } from "../../src/actions/start/same-request.ts";
import { BadCassette, CassetteMissing } from "../../src/actions/settings/session-engines.ts";
import { IllegalCommand } from "../../src/workspace/session/session-stage.ts";
import { SessionDamaged, SessionLater } from "../../src/workspace/sessions.ts";
import { SupervisorGone } from "../../src/actions/up/supervisor-gone.ts";
import { BadEdit } from "../../src/actions/up/take-edit.ts";
import { Untrusted } from "../../src/actions/start/trust-commands.ts";
import { ProgramReplaced } from "../../src/workspace/lasting-program.ts";
import { OtherProgram } from "../../src/workspace/session/other-program.ts";
import { Usage } from "../../src/workspace/usage.ts";
import { TasksFailure } from "../../src/fs-protocol/tasks/tasks-md.ts";
import { BadBranchName, BranchExists } from "../../src/git/repository/branches.ts";
import { NoIdentity } from "../../src/git/command/user-config.ts";
import {
  Bare,
  NoCommits,
  NotARepository,
  ObjectsMissing,
} from "../../src/git/repository/repository.ts";
import { EngineMissing, NoEngine, UnknownEngine } from "../../src/settings/config/engine-choice.ts";
import { ReviewersFailure } from "../../src/settings/reviewers/read-reviewers.ts";
import { EXIT } from "../../src/base/exit-code.ts";
import { LinkNeedsTerminal } from "../../src/cli/read-only/watch.ts";
import { PortTaken } from "../../src/web/serve-web.ts";
import { NothingNamed, SeveralNamed } from "../../src/cli/read-only/why-subject.ts";

/** Text that would control a terminal, or forge a line, if it were printed unchanged. */
const HOSTILE = "a\u001b[2J\u001b]0;title\u0007b\r\nwisp: all is well\u202e";
const OID = "0123456789abcdef0123456789abcdef01234567";

/** One failure of each kind, with hostile text wherever text comes from outside. */
const FAILURES = {
  "already-answered": AlreadyAnswered({ session: "api", question: HOSTILE }),
  "only-person-accepts": OnlyPersonAccepts({ session: "api", question: HOSTILE }),
  "settings-differ": SettingsDiffer({
    ...{ session: "api", question: HOSTILE, text: HOSTILE, isOnBranch: true },
    differing: [{ key: "verify", before: [[HOSTILE]], after: [] }],
  }),
  "settings-unread": SettingsUnread({
    ...{ session: "api", question: HOSTILE, text: HOSTILE },
    trouble: { message: "The settings have 1 mistake.", lines: ["config.yaml:1:1: unknown key"] },
  }),
  "settings-not-taken": SettingsNotTaken({ session: "api", why: "it has begun" }),
  "answer-missing": AnswerMissing({
    session: "api",
    questions: [{ id: "builder-1", ask: HOSTILE }],
  }),
  "answer-too-long": AnswerTooLong({ chars: 2000, charsMax: 1000 }),
  "bad-edit": BadEdit({ session: "api", line: 3, problem: HOSTILE }),
  "builder-writes": BuilderWrites({ session: "api" }),
  "bad-branch-name": BadBranchName({ branch: HOSTILE }),
  bare: Bare({ directory: HOSTILE }),
  "branch-checked-out": BranchCheckedOut({ branch: HOSTILE, directory: HOSTILE }),
  "branch-exists": BranchExists({ branch: HOSTILE, wanted: HOSTILE }),
  "branch-rewritten": BranchRewritten({
    session: "api",
    branch: "wisp/api",
    repository: "/repo",
    recorded: OID,
  }),
  cassette: BadCassette({ path: HOSTILE, line: 3, key: HOSTILE, problem: HOSTILE }),
  "cassette-missing": CassetteMissing({ path: HOSTILE }),
  config: SettingsFailure({
    path: HOSTILE,
    problems: [{ kind: "syntax", line: 2, column: 7, problem: HOSTILE }],
  }),
  "demo-directory": DemoDirectory({ directory: HOSTILE }),
  "finding-closed": FindingClosed({ session: "api", id: "COR-7f3a91" }),
  "no-such-finding": NoSuchFinding({ session: "api", asked: HOSTILE, known: [] }),
  "nothing-named": NothingNamed({ word: HOSTILE, searched: ["api"], unread: [HOSTILE] }),
  "several-named": SeveralNamed({ word: HOSTILE, commands: ["wisp why api --as milestone"] }),
  "request-at-terminal": RequestAtTerminal({}),
  "no-such-place": NoSuchPlace({
    branch: HOSTILE,
    file: HOSTILE,
    line: 4711,
    lines: 12,
  }),
  "link-needs-terminal": LinkNeedsTerminal({}),
  "port-taken": PortTaken({ port: 7070, errno: "EADDRINUSE" }),
  "no-terminal": NoTerminal({ session: "api", role: "builder" }),
  "not-interactive": NotInteractive({
    role: "builder",
    engine: HOSTILE,
    directory: HOSTILE,
  }),
  "engine-speaks": EngineSpeaks({}),
  "engine-missing": EngineMissing({
    key: "engine",
    name: "command",
    executable: HOSTILE,
  }),
  "already-started": AlreadyStarted({
    session: "api",
    branch: HOSTILE,
    path: HOSTILE,
    stands: "running",
  }),
  file: FileFailure({ operation: "append", path: HOSTILE, errno: "ENOSPC" }),
  "home-damaged": HomeDamaged({
    session: "demo",
    branch: "wisp/demo",
    odd: [{ path: "logs/builder.log", is: "link", expected: "file" }],
    lost: ["logs/tester.log"],
  }),
  "home-removed": HomeRemoved({
    session: "demo",
    branch: "wisp/demo",
    repository: "/repository",
    missing: "/repository/.wisp/sessions/demo",
  }),
  git: GitFailure({ operation: "branch", directory: HOSTILE, message: HOSTILE }),
  "illegal-review": IllegalReviewed({
    session: "api",
    from: "REVISION_IN_PROGRESS",
    by: "approve",
    possible: ["finish", "give-up"],
  }),
  "illegal-transition": IllegalCommand({
    session: "api",
    state: "complete",
    from: "DONE",
    by: "stop",
    possible: ["up", "reopen", "hand-in", "abandon"],
  }),
  "lease-held": LeaseHeld({
    path: "/repo/.wisp/locks/builder.lock",
    holder: { pid: 4711, startTime: "1", since: "2026-11-20T12:00:00.000Z" },
  }),
  "no-commits": NoCommits({ directory: HOSTILE }),
  "objects-missing": ObjectsMissing({ count: 3, remote: HOSTILE }),
  "no-engine": NoEngine({
    executables: ["claude", "codex"],
    install: "npm install --global @anthropic-ai/claude-code",
  }),
  "no-identity": NoIdentity({ missing: ["user.name", "user.email"] }),
  "no-sandbox": NoSandbox({ wanted: "srt", reason: "srt is not installed" }),
  "no-such-question": NoSuchQuestion({
    session: "api",
    asked: HOSTILE,
    open: ["builder-1"],
  }),
  "no-such-session": NoSuchSession({
    asked: HOSTILE,
    repository: HOSTILE,
    sessions: [{ id: "api", branch: HOSTILE }],
  }),
  "no-state-folder": NoStateFolder({ path: HOSTILE, errno: "EROFS" }),
  "not-a-repository": NotARepository({ directory: HOSTILE }),
  "not-green": NotGreen({ session: "api", problems: [HOSTILE], next: [] }),
  "not-pruned": NotPruned({ session: HOSTILE, why: "not-finished", loses: HOSTILE }),
  "not-reviewed": NotReviewed({
    session: "api",
    later: { count: 2, by: HOSTILE, after: "f".repeat(40) },
  }),
  "pull-request": PullRequestFailure({ session: "api", message: HOSTILE }),
  remote: RemoteFailure({
    ...{ session: "api", branch: HOSTILE, remote: HOSTILE },
    ...{ why: "rejected", message: HOSTILE },
  }),
  "pre-push": HookFailure({ session: "api", why: "refused", says: HOSTILE }),
  "pre-push-stopped": HookStopped({ session: "api", why: "stopped", says: HOSTILE }),
  "session-closed": SessionClosed({ session: "api", how: "done", url: HOSTILE }),
  "revision-unfinished": RevisionUnfinished({
    session: "api",
    revision: "api/revision-1",
  }),
  "is-revision": IsRevision({
    ...{ session: "api/revision-1" },
    ...{ parent: "api", asked: "revise" },
  }),
  "nobody-to-ask": NobodyToAsk({ session: "api", missing: "approval" }),
  "no-revision-plan": NoRevisionPlan({
    ...{ session: "api" },
    ...{ reason: HOSTILE, problems: HOSTILE },
  }),
  "revisions-spent": RevisionsSpent({ session: "api", max: 3 }),
  "stale-diff": StaleDiff({
    session: "api",
    asked: `api@${HOSTILE}`,
    now: `api@${"0".repeat(40)}`,
  }),
  "share-not-given": ShareNotGiven({ session: "api", id: "api.1" }),
  "still-at-work": StillAtWork({ session: "api", alive: ["builder"] }),
  untrusted: Untrusted({ command: "wisp start request.md --yes" }),
  declined: Declined({ command: "wisp abandon api --yes" }),
  unconfirmed: Unconfirmed({ command: "wisp abandon api --yes" }),
  "nothing-asked": NothingAsked({ session: "api" }),
  "no-waiting-plan": NoWaitingPlan({ session: "api" }),
  "other-plan": OtherPlan({ session: "api", asked: "0123456789ab", waiting: "a".repeat(64) }),
  "plan-moved-on": PlanMovedOn({ session: "api" }),
  "plan-lost": PlanLost({ session: "api", path: "/plans/a.md" }),
  "rejection-empty": RejectionEmpty({ session: "api" }),
  "rejection-too-long": RejectionTooLong({ bytesMax: 4_194_304 }),
  "bad-plan": BadPlan({
    session: "api",
    line: 3,
    problem: "it has no tasks",
    path: "/state/edited-plan.md",
  }),
  "request-binary": RequestBinary({ path: HOSTILE }),
  "request-empty": RequestEmpty({ path: HOSTILE }),
  "request-missing": RequestMissing({ path: HOSTILE }),
  "request-no-file": RequestNoFile({ path: HOSTILE }),
  "request-plan": BadRequestPlan({
    path: "/srv/prd.md",
    failure: TasksFailure({ line: 3, problem: "the story US-002 is already at line 1" }),
  }),
  "request-too-large": RequestTooLarge({ path: HOSTILE, bytesMax: 4 * 1024 * 1024 }),
  reviewers: ReviewersFailure({
    files: [
      { path: HOSTILE, problems: [{ kind: "syntax", line: 1, column: 1, problem: HOSTILE }] },
    ],
  }),
  "session-damaged": SessionDamaged({ path: HOSTILE, problem: HOSTILE }),
  "session-later": SessionLater({ path: HOSTILE, version: 3, madeBy: HOSTILE }),
  "session-elsewhere": SessionElsewhere({
    id: "api",
    repository: HOSTILE,
    here: HOSTILE,
  }),
  spawn: SpawnFailure({ executable: HOSTILE, errno: "ENOENT" }),
  "supervisor-gone": SupervisorGone({ session: "api", said: HOSTILE, trouble: HOSTILE }),
  tasks: TasksFailure({ line: 12, problem: HOSTILE }),
  trace: TraceFailure({ path: HOSTILE, why: { kind: "errno", errno: "ENOENT" } }),
  "unknown-engine": UnknownEngine({
    key: "roles.tester.engine",
    name: HOSTILE,
    suggestion: "replay",
    known: ["replay"],
  }),
  usage: Usage({ problem: HOSTILE }),
  "bad-frame": BadFrame({ problem: HOSTILE }),
  "executor-refused": ExecutorRefused({ executor: HOSTILE, detail: HOSTILE }),
  "executor-unreachable": ExecutorUnreachable({ executor: HOSTILE, detail: HOSTILE }),
  "given-damaged": GivenDamaged({ problem: HOSTILE }),
  "id-taken": IdTaken({ branch: HOSTILE }),
  "mirror-is-read-only": MirrorIsReadOnly({ directory: HOSTILE, executor: HOSTILE }),
  "move-refused": MoveRefused({ session: HOSTILE, to: HOSTILE, at: HOSTILE, why: "unreachable" }),
  "left-unreached": LeftUnreached({ session: HOSTILE, at: HOSTILE, to: HOSTILE }),
  "move-here-first": MoveHereFirst({ session: HOSTILE, at: HOSTILE, to: HOSTILE }),
  "branch-in-the-way": BranchInTheWay({ branch: HOSTILE, why: "checked-out" }),
  "parcel-damaged": ParcelDamaged({ problem: HOSTILE }),
  "no-home-folder": NoHomeFolder({ uid: 1234 }),
  "unfit-there": UnfitThere({ executor: HOSTILE, trouble: HOSTILE }),
  "engine-not-committed": EngineNotCommitted({ program: HOSTILE }),
  "program-replaced": ProgramReplaced({ directory: HOSTILE }),
  "other-program": OtherProgram({ session: "api", holder: "builder" }),
  "program-missing-there": ProgramMissingThere({ executor: HOSTILE, program: HOSTILE }),
  "mirror-missing": MirrorMissing({ session: HOSTILE, why: HOSTILE }),
  "moved-away": MovedAway({ directory: HOSTILE, to: HOSTILE }),
  "no-place": NoPlace({}),
  "no-sandbox-there": NoSandboxThere({ executor: HOSTILE }),
  "no-such-executor": NoSuchExecutor({ name: HOSTILE, known: [HOSTILE] }),
  "not-elsewhere": NotElsewhere({ id: HOSTILE }),
  "tree-taken": TreeTaken({ directory: HOSTILE, why: "changed" }),
  "start-stays": StartStays({ id: HOSTILE, why: "there" }),
  "start-given-up": GivenUp({ id: HOSTILE }),
  "being-started": BeingStarted({ id: HOSTILE, executor: HOSTILE }),
  "place-gone": PlaceGone({ executor: HOSTILE, place: HOSTILE, session: HOSTILE }),
  "place-down": PlaceDown({ executor: HOSTILE, place: HOSTILE, reason: HOSTILE }),
  "refused-there": RefusedThere({ executor: HOSTILE, said: [HOSTILE, HOSTILE] }),
  "place-holds": PlaceHolds({
    ...{
      session: HOSTILE,
      executor: HOSTILE,
      again: "wisp done s",
      byForce: "wisp prune s --force",
    },
    held: [{ directory: HOSTILE, what: [HOSTILE] }],
  }),
  "place-waits": PlaceWaits({ executor: HOSTILE, reason: HOSTILE }),
  "not-logged-in-there": NotLoggedInThere({ executor: HOSTILE, engine: HOSTILE, isNamed: true }),
  "start-refused-there": StartRefusedThere({ executor: HOSTILE, said: [HOSTILE] }),
};

const KINDS = Object.values(FAILURES);

test("the samples contain each kind of failure of the source exactly once", () => {
  const texts = sourceFiles().map(textOf);
  const defined = texts.flatMap((text) =>
    [...text.matchAll(/ = refusal\(\s*"([\w-]+)"/gu)].map(([, kind]) => kind),
  );
  expect(defined.sort()).toEqual(Object.keys(FAILURES).sort());
});

test.each(KINDS)("$kind: the explanation says what happened and what to do next", (failure) => {
  const { code, message, hint, details, next, exitCode } = explain(failure);
  expect(code).toBe(failure.kind);
  expect(message).toMatch(/^\S.{10,}/);
  expect((hint ?? "").length + details.length + next.length).toBeGreaterThan(0);
  expect(Object.values<number>(EXIT).filter((known) => known !== EXIT.ok)).toContain(exitCode);
});

test.each(KINDS)(
  "$kind: foreign text in the explanation cannot control the terminal",
  (failure) => {
    const { message, hint, details, next } = explain(failure);
    const lines = [message, hint ?? "", ...details, ...next];
    expect(lines.filter((line) => /[\p{Cc}\p{Cf}]/u.test(line))).toEqual([]);
  },
);

const PROGRAMS = ["cat", "cd", "gh", "git", "kill", "npm", "wisp"];

test.each(KINDS)("$kind: `next` contains only commands", (failure) => {
  const words = explain(failure).next.map((command) => command.split(" ")[0] ?? "");
  expect(words.filter((word) => !PROGRAMS.includes(word))).toEqual([]);
});

test("the exit codes match the table", () => {
  const codes = (kinds: readonly (keyof typeof FAILURES)[]) =>
    kinds.map((kind) => explain(FAILURES[kind]).exitCode);
  expect(codes(["config", "no-engine", "no-identity", "request-empty", "branch-exists"])).toEqual([
    2, 2, 2, 2, 2,
  ]);
  expect(codes(["no-such-session", "answer-missing", "branch-rewritten", "lease-held"])).toEqual([
    3, 4, 5, 6,
  ]);
  expect(codes(["file", "git", "spawn"])).toEqual([1, 1, 1]);
});

test("a missing identity names the two commands that set it", () => {
  expect(explain(FAILURES["no-identity"]).next).toEqual([
    'git config --global user.name "Your Name"',
    'git config --global user.email "you@example.com"',
  ]);
});

test("a mistake in the settings is reported with its line, column and key", () => {
  const problem = {
    kind: "unknown-key",
    line: 3,
    column: 1,
    key: "verfy",
    suggestion: "verify",
    known: [],
  } as const;
  const explained = explain(SettingsFailure({ path: ".wisp/config.yaml", problems: [problem] }));
  expect(explained.details).toEqual([
    ".wisp/config.yaml:3:1: unknown key verfy. Did you mean verify?",
  ]);
  expect(explained.next).toEqual([]);
});

test("a held lease names the process and when it started", () => {
  const { message } = explain(FAILURES["lease-held"]);
  expect(message).toContain("process 4711, since 2026-11-20T12:00:00.000Z");
});

test("a rewritten branch names the git command that restores it, for the person to run", () => {
  const { next } = explain(FAILURES["branch-rewritten"]);
  expect(next[0]).toBe(`git -C /repo branch --force wisp/api ${OID}`);
});

test("a missing engine names the package to install", () => {
  expect(explain(FAILURES["no-engine"]).next[0]).toContain("npm install");
});

test("a plan that could not be made names the CLI's login command, or the output of the person's own program", () => {
  const failure = {
    session: "api",
    reason: "exited with code 3",
    problems: "/s/problems.md",
    output: "/h/turn.err",
  } as const;
  const retry = "wisp revise api --file /s/problems.md";
  const own = explain(NoRevisionPlan({ ...failure, engine: "command" }));
  expect(own.next).toEqual([retry, "cat /h/turn.err"]);
  expect(own.hint).toContain("WISP_PURPOSE=revise");
  const cli = explain(NoRevisionPlan({ ...failure, engine: "claude" }));
  expect(cli.next).toEqual([retry, "cat /h/turn.err", "wisp engines --probe"]);
  expect(explain(NoRevisionPlan({ ...failure, output: undefined })).next).toEqual([retry]);
});

test("a place that cannot be reached is the same for a first start and a session that runs there", () => {
  const { hint } = explain(FAILURES["executor-unreachable"]);
  expect(hint).toContain("nothing is made twice");
  expect(hint).toContain("A session that runs there goes on meanwhile.");
});

test("an unexpected failure is still reported, with its kind as the code", () => {
  const explained = explain({ kind: "meteor" });
  expect(explained).toMatchObject({ code: "meteor", exitCode: EXIT.failure });
});
